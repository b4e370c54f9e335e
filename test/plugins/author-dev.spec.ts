import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { runCommand } from '../../src/cli/author/run-command.js';
import { TestPanel } from '../support/panel.js';

describe('svc-plugin dev', () => {
  let panel: TestPanel;
  let key: string;
  let folder: string;
  let lines: string[];
  let stop: AbortController;
  let running: Promise<number>;

  beforeAll(async () => {
    panel = await TestPanel.start();
    const made = await panel.admin('addmy', {
      name: 'dev',
      qxmb: 'plugin_install plugin_enable plugin_list theme_reload theme_list',
      ips: '',
      dq: '',
      kg: 'true',
    });
    key = String(made.data.secret);
  });
  afterAll(() => panel.close());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-dev-'));
    lines = [];
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await running;
    rmSync(folder, { recursive: true, force: true });
  });

  function write(path: string, text: string): void {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const source = (answer: string): string =>
    `export default (svc) => { svc.svc_register_route('GET', '/${slug}', () => ${JSON.stringify(answer)}); };\n`;
  let slug = '';

  function start(name: string, args: string[] = [], env: NodeJS.ProcessEnv = { SVC_PANEL_KEY: key }): Promise<number> {
    slug = name;
    write('plugin.json', JSON.stringify({ id: name, name, version: '0.1.0' }));
    write('src/index.js', source('one'));
    const say = (line: string): void => void lines.push(line);
    const all = ['dev', '--data', panel.dataDir, '--panel', panel.url, ...args];
    running = runCommand(all, { folder, env, say, warn: say, stop: stop.signal });
    return running;
  }
  const answer = async (): Promise<string> => (await panel.fetch(`/${slug}`)).text();

  it('reloads changes, shows errors, and continues with the next change', async () => {
    void start('watched');
    await expect.poll(() => lines.join('\n')).toContain('watched 0.1.0 runs');
    expect(await answer()).toBe('one');
    write('src/index.js', source('two'));
    await expect.poll(answer, { interval: 20 }).toBe('two');
    write('src/index.js', 'export default (svc) => {\n  const = 1;\n};\n');
    await expect.poll(() => lines.at(-1)).toContain('src/index.js:2:8');
    expect(await answer()).toBe('two');
    write('src/index.js', "export default () => { throw new Error('not today'); };\n");
    await expect.poll(() => lines.at(-1)).toContain('not today');
    write('lang/en.json', '{ "a": "A" }');
    write('src/index.js', source('three'));
    await expect.poll(answer, { interval: 20 }).toBe('three');
    await expect.poll(() => existsSync(join(panel.dataDir, 'plugins/watched/lang/en.json'))).toBe(true);
    const times = lines.flatMap((line) => /after (\d+) ms/.exec(line)?.[1] ?? []).map(Number);
    process.stdout.write(`  svc-plugin dev: reloads took ${times.join(', ')} ms\n`);
    stop.abort();
    expect(await running).toBe(0);
  });

  it('reloads a theme, and shows its errors once a page is rendered', async () => {
    write('theme.json', JSON.stringify({ name: 'dusk', title: 'Dusk', version: '0.1.0', scope: ['user'] }));
    write('user/foot.liquid', '<footer>first light</footer>');
    const say = (line: string): void => void lines.push(line);
    const all = ['dev', '--data', panel.dataDir, '--panel', panel.url];
    running = runCommand(all, { folder, env: { SVC_PANEL_KEY: key }, say, warn: say, stop: stop.signal });
    await expect.poll(() => lines.join('\n')).toContain('dusk 0.1.0 is installed');
    expect(await panel.admin('settheme', { usertheme: 'dusk', admintheme: 'default' })).toMatchObject({ success: true });
    const page = async (): Promise<string> => (await panel.fetch('/user/login')).text();
    write('user/login.liquid', '<!doctype html><p>first dusk</p>');
    await expect.poll(page, { interval: 20 }).toContain('first dusk');
    write('user/login.liquid', '<!doctype html><p>{{ user | unknown_filter }}</p>');
    await expect.poll(page, { interval: 20 }).not.toContain('first dusk');
    await expect.poll(() => lines.join('\n'), { timeout: 10_000 }).toMatch(/user\/login.*unknown_filter/);
    write('user/login.liquid', '<!doctype html><p>second dusk</p>');
    await expect.poll(page, { interval: 20 }).toContain('second dusk');
  });

  it('does not touch a theme it did not write', async () => {
    mkdirSync(join(panel.dataDir, 'themes/bought'), { recursive: true });
    write('theme.json', JSON.stringify({ name: 'bought', title: 'Bought', version: '0.1.0', scope: ['user'] }));
    const say = (line: string): void => void lines.push(line);
    running = runCommand(['dev', '--data', panel.dataDir], { folder, env: { SVC_PANEL_KEY: key }, say, warn: say, stop: stop.signal });
    expect(await running).toBe(1);
    expect(lines.join()).toContain('does not come from');
  });

  it('does not touch a plugin it did not write', async () => {
    mkdirSync(join(panel.dataDir, 'plugins/mine'));
    writeFileSync(join(panel.dataDir, 'plugins/mine/index.js'), 'mine');
    expect(await start('mine')).toBe(1);
    expect(lines.join()).toContain('does not come from');
    expect(readFileSync(join(panel.dataDir, 'plugins/mine/index.js'), 'utf8')).toBe('mine');
  });

  it.each([
    ['no key', [], {}, 'SVC_PANEL_KEY'],
    ['a panel elsewhere', ['--panel', 'https://panel.example.com'], { SVC_PANEL_KEY: 'x' }, 'is not on this machine'],
    ['no data folder', ['--data', '/tmp'], { SVC_PANEL_KEY: 'x' }, 'is not the data folder of a panel'],
  ])('refuses %s', async (_name, args, env, text) => {
    expect(await start('refused', args, env)).toBe(1);
    expect(lines.join()).toContain(text);
  });

  it('reports a wrong key and continues', async () => {
    void start('wrong_key', [], { SVC_PANEL_KEY: 'svck_wrong' });
    await expect.poll(() => lines.join()).toContain('rejected the API key');
  });
});

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { createStartedPlace, type TestPlace } from '../support/database.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { ServerProcess } from '../support/server-process.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';

let place: TestPlace | undefined;
let server: ServerProcess | undefined;
let panel: TestPanel | undefined;
afterEach(async () => {
  await panel?.close();
  await server?.stop('SIGKILL');
  await place?.dispose();
  [place, server, panel] = [undefined, undefined, undefined];
});

interface Row {
  slug: string;
  status: string;
  enabled: boolean;
  error: string;
  last_fault: { place: string; message: string } | null;
}

/** An operation of a server process, as the administrator. */
async function admin(
  url: string,
  gn: string,
  fields: Record<string, string> = {},
): Promise<{ success?: boolean; code: string; rows: Row[] }> {
  const post = (body: Record<string, string>, cookie = ''): Promise<Response> =>
    fetch(`${url}/admin/ajax.php`, {
      method: 'POST',
      headers: { Cookie: cookie, 'Accept-Language': 'en' },
      body: new URLSearchParams(body),
    });
  const login = await post({ gn: 'login', user: 'admin', pass: DEFAULT_ADMIN_PASSWORD });
  const cookie = login.headers
    .getSetCookie()
    .find((line) => line.startsWith('admin_token='))!
    .split(';')[0]!;
  return (await (await post({ gn, ...fields }, cookie)).json()) as { success?: boolean; code: string; rows: Row[] };
}

const enable = async (url: string, slug: string): Promise<void> => {
  for (const answer of [await admin(url, 'plugin_install', { slug }), await admin(url, 'plugin_enable', { slug, enabled: 'true' })])
    expect(answer).toMatchObject({ success: true });
};
const row = async (url: string, slug: string): Promise<Row | undefined> =>
  (await admin(url, 'plugin_list')).rows.find((one) => one.slug === slug);

/** The markers of processes, or of one, that may die in a plugin. */
const marks = (pid: number | '' = ''): string[] => {
  const folder = join(place!.dataDir, 'crash-marks');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.includes(`~${pid}`)) : [];
  return names.map((name) => readFileSync(join(folder, name), 'utf8'));
};

/** Starts normally, and runs `code` if the file `bad` is next to it. */
const whenBad = (code: string): string =>
  `const fs = require('fs'), path = require('path'); const bad = () => fs.existsSync(path.join(__dirname, 'bad')); ${code}`;

describe('P3 plugins that hang or crash at startup', { timeout: 90_000 }, () => {
  it('two that hang do not keep the panel closed; readyz waits for them, and one can be disabled meanwhile', async () => {
    panel = await TestPanel.start();
    const hanging = whenBad('module.exports = async () => { if (bad()) await new Promise(() => {}); };');
    for (const slug of ['hang_a', 'hang_b']) {
      writePlugin(panel.dataDir, slug, hanging);
      await panel.enable(slug);
    }
    writePlugin(panel.dataDir, 'needs_a', { manifest: { requires_plugins: ['hang_a'] }, files: { 'index.js': functionPlugin('') } });
    writePlugin(panel.dataDir, 'healthy', functionPlugin("svc.svc_register_route('GET', '/healthy', () => 'here');"));
    await panel.enable('needs_a');
    await panel.enable('healthy');
    for (const slug of ['hang_a', 'hang_b']) writePlugin(panel.dataDir, slug, { files: { 'index.js': hanging, bad: '' } });
    const began = performance.now();
    await panel.restart();
    expect(performance.now() - began).toBeLessThan(9_000);
    expect((await panel.fetch('/healthy')).status).toBe(200);
    expect(await panel.row('hang_a')).toMatchObject({ status: 'starting' });
    expect(await panel.row('needs_a')).toMatchObject({ status: 'waiting' });
    const ready = await panel.fetch('/readyz');
    expect([ready.status, ((await ready.json()) as { starting_plugins: string[] }).starting_plugins.sort()]).toEqual([
      503,
      ['hang_a', 'hang_b'],
    ]);
    for (const slug of ['hang_a', 'hang_b']) expect((await panel.disable(slug)).success).toBe(true);
    expect(await panel.row('hang_a')).toMatchObject({ status: 'installed', error: '' });
    expect((await panel.fetch('/readyz')).status).toBe(200);
  });

  it('one that starts late runs afterwards, and so do its dependents', async () => {
    panel = await TestPanel.start();
    writePlugin(panel.dataDir, 'late', functionPlugin('await globalThis.p03gate;'));
    writePlugin(panel.dataDir, 'behind', { manifest: { requires_plugins: ['late'] }, files: { 'index.js': functionPlugin('') } });
    await panel.enable('late');
    await panel.enable('behind');
    let go = (): void => undefined;
    (globalThis as Record<string, unknown>).p03gate = new Promise<void>((resolve) => (go = resolve));
    await panel.restart();
    expect(await panel.row('late')).toMatchObject({ status: 'starting' });
    go();
    await expect.poll(async () => [(await panel!.row('late'))?.status, (await panel!.row('behind'))?.status]).toEqual(['active', 'active']);
    expect((await panel.fetch('/readyz')).status).toBe(200);
    expect(panel.get(RuntimeLimits).startTotal).toBe(10_000);
  });

  it.each([
    ['process.exit of a bundled package', "require('some-package')(); ", /process\.exit\(\) is not allowed/],
    ['process.abort', 'process.abort();', /process\.abort\(\) is not allowed/],
    ['process.kill', 'process.kill(process.pid);', /process\.kill\(process\.pid\) is not allowed/],
  ])('%s is refused and named', async (_name, call, reason) => {
    panel = await TestPanel.start();
    writePlugin(panel.dataDir, 'leaving', {
      files: { 'index.js': functionPlugin(call), 'node_modules/some-package/index.js': 'module.exports = () => process.exit(1);' },
    });
    await panel.admin('plugin_install', { slug: 'leaving' });
    expect((await panel.tryEnable('leaving')).code).toMatch(reason);
    expect((await panel.row('leaving'))?.error).toMatch(reason);
    expect((await panel.fetch('/healthz')).status).toBe(200);
  });

  it('one that crashes the process three times is skipped at the fourth start, with a reason and a way back', async () => {
    place = await createStartedPlace();
    const ports: [number, number] = [(server = await ServerProcess.start(place)).port, server.sitesPort];
    await server.ready();
    // An endless loop, as someone would have to kill it from outside.
    const looping = whenBad('if (bad()) for (;;) {} module.exports = () => {};');
    writePlugin(place.dataDir, 'loop', looping);
    await enable(server.url, 'loop');
    await server.stop();
    writePlugin(place.dataDir, 'loop', { files: { 'index.js': looping, bad: '' } });
    for (let round = 0; round < 3; round += 1) {
      server = await ServerProcess.start(place, {}, ports);
      await expect.poll(() => marks(server!.pid), { timeout: 40_000 }).toEqual(['loop']);
      await server.stop('SIGKILL');
    }
    server = await (await ServerProcess.start(place, {}, ports)).ready();
    expect(await row(server.url, 'loop')).toMatchObject({
      status: 'quarantined',
      enabled: true,
      error: expect.stringMatching(/start: The process ended|start/) as string,
    });
    expect(server.output).toMatch(/Enabled plugins that are not running: loop/);
    writePlugin(place.dataDir, 'loop', functionPlugin(''));
    expect(await admin(server.url, 'plugin_retry', { slug: 'loop' })).toMatchObject({ success: true });
    expect(await row(server.url, 'loop')).toMatchObject({ status: 'active', error: '' });
  }, 240_000);

  it('one whose loop is killed from outside three times is skipped at the fourth start, with the location reported each time', async () => {
    place = await createStartedPlace();
    const ports: [number, number] = [(server = await ServerProcess.start(place)).port, server.sitesPort];
    await server.ready();
    const loops = `svc.svc_register_route('GET', '/loop', () => { for (;;); });
      svc.svc_register_route('GET', '/later', async function later() { await null; for (;;); });`;
    writePlugin(place.dataDir, 'loops', functionPlugin(loops));
    await enable(server.url, 'loops');
    for (const [path, where] of [
      ['/later', 'later (index.js:3)'],
      ['/loop', 'route GET /loop'],
      ['/later', 'later (index.js:3)'],
    ] as const) {
      void fetch(`${server.url}${path}`).catch(() => undefined);
      await expect.poll(() => marks(), { timeout: 40_000 }).toEqual([`loops\n${where}`]);
      expect(await server.stop('SIGKILL')).toBe('SIGKILL');
      server = await (await ServerProcess.start(place, {}, ports)).ready();
      expect(marks()).toEqual([]);
      expect(server.output).toContain(`"place":"${where}"`);
      expect(await row(server.url, 'loops')).toMatchObject({
        last_fault: { place: where, message: expect.stringMatching(/terminated after the plugin blocked it/) as string },
      });
    }
    expect(await row(server.url, 'loops')).toMatchObject({
      status: 'quarantined',
      error: expect.stringContaining('later (index.js:3): The process was terminated') as string,
    });
  }, 240_000);

  it('a loop that ends removes its marker; a process stopped as a whole has none, and blames nobody', async () => {
    place = await createStartedPlace();
    server = await (await ServerProcess.start(place)).ready();
    const busy = (milliseconds: number): string => `{ const end = Date.now() + ${milliseconds}; while (Date.now() < end); return 'done'; }`;
    writePlugin(
      place.dataDir,
      'busy',
      functionPlugin(`svc.svc_register_route('GET', '/long', () => ${busy(10_000)});
        svc.svc_register_route('GET', '/short', () => ${busy(3_000)});`),
    );
    await enable(server.url, 'busy');
    const long = fetch(`${server.url}/long`);
    await expect.poll(() => marks(), { timeout: 40_000 }).toHaveLength(1);
    await long;
    await expect.poll(() => marks(), { timeout: 20_000 }).toEqual([]);
    const toldOf = async (): Promise<string | undefined> => (await row(server!.url, 'busy'))?.last_fault?.message;
    await expect.poll(toldOf, { timeout: 20_000 }).toMatch(/^the panel was blocked for 1\d{4} ms$/);

    const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
    const short = fetch(`${server.url}/short`);
    await pause(1_000);
    server.signal('SIGSTOP');
    await pause(6_000);
    expect(marks()).toEqual([]);
    server.signal('SIGCONT');
    await short;
    // A second in the loop, not seven.
    await expect.poll(toldOf, { timeout: 20_000 }).toMatch(/^the panel was blocked for [12]\d{3} ms$/);
    void fetch(`${server.url}/short`).catch(() => undefined);
    await pause(1_000);
    server.signal('SIGSTOP');
    await server.stop('SIGKILL');
    expect(marks()).toEqual([]);
    server = await (await ServerProcess.start(place)).ready();
    expect(await row(server.url, 'busy')).toMatchObject({
      status: 'active',
      last_fault: { message: expect.stringMatching(/^the panel was blocked for 1\d{3,4} ms$/) as string },
    });
    expect(server.output).not.toMatch(/the process ended in a plugin/);
  }, 240_000);

  it('with a debugger attached nobody is blamed, and nothing stops', async () => {
    place = await createStartedPlace();
    server = await (await ServerProcess.start(place, { NODE_OPTIONS: '--inspect=127.0.0.1:0' })).ready();
    writePlugin(
      place.dataDir,
      'busy',
      functionPlugin(`svc.svc_register_route('GET', '/busy', async () => {
        await null; const end = Date.now() + 1500; while (Date.now() < end); return 'done';
      });`),
    );
    await enable(server.url, 'busy');
    expect(await (await fetch(`${server.url}/busy`)).text()).toContain('done');
    expect(await row(server.url, 'busy')).toMatchObject({ status: 'active', error: '', last_fault: null });
    expect(server.output).toContain('Debugger listening');
    expect(server.output).not.toMatch(/event loop (?:was|is) blocked/);
  }, 240_000);

  it('a kill from outside while a plugin does something else blames nobody', async () => {
    place = await createStartedPlace();
    server = await (await ServerProcess.start(place)).ready();
    writePlugin(place.dataDir, 'innocent', functionPlugin('setInterval(() => {}, 5);'));
    await enable(server.url, 'innocent');
    await server.stop('SIGKILL');
    expect(marks()).toEqual([]);
    server = await (await ServerProcess.start(place)).ready();
    expect(await row(server.url, 'innocent')).toMatchObject({ status: 'active', error: '' });
    expect(server.output).not.toMatch(/the process ended in a plugin/);
  }, 240_000);
});

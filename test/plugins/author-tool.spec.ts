import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { Open } from 'unzipper';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../../src/common/index.js';
import { TestPanel } from '../support/panel.js';

/** Target of `node_modules/.bin/svc-plugin`. */
const COMMAND = join(PACKAGE_ROOT, 'sdk/bin/svc-plugin.mjs');

const place = mkdtempSync(join(tmpdir(), 'svc-author-tool-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Run {
  status: number | null;
  /** Output of both streams. */
  text: string;
}

function svcPlugin(args: string[], cwd = place, env: NodeJS.ProcessEnv = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: '', ...env },
  });
  return { status, text: stdout + stderr };
}

/** Creates a project for a test. */
function created(name: string, kind: string, ...options: string[]): string {
  expect(svcPlugin(['create', name, '--kind', kind, ...options])).toMatchObject({ status: 0 });
  return join(place, name);
}

function put(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function unpack(zip: string, to: string): Promise<void> {
  for (const file of (await Open.buffer(readFileSync(zip))).files) {
    mkdirSync(dirname(join(to, file.path)), { recursive: true });
    writeFileSync(join(to, file.path), await file.buffer());
  }
}

describe('svc-plugin', () => {
  it('is a command of the workspace, so npm ci links it before anything is built', () => {
    const lock = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, unknown> };
    expect(lock.packages['node_modules/@svc/sdk']).toEqual({ resolved: 'sdk', link: true });
    expect(lock.packages.sdk).toMatchObject({ name: '@svc/sdk', bin: { 'svc-plugin': 'bin/svc-plugin.mjs' } });
  });

  describe('a created project', () => {
    let panel: TestPanel;
    beforeAll(async () => (panel = await TestPanel.start()));
    afterAll(() => panel.close());

    it.each([
      ['fn_ts', 'function', []],
      ['fn_js', 'function', ['--js']],
      ['nest_ts', 'nest', []],
      ['nest_js', 'nest', ['--js']],
      ['gateway_ts', 'gateway', []],
      ['gateway_js', 'gateway', ['--js']],
      ['driver_ts', 'driver', []],
      ['driver_js', 'driver', ['--js']],
    ])('%s builds, passes the check, and runs in a panel as packed', async (name, kind, options) => {
      const folder = created(name, kind, ...options);
      expect(existsSync(join(folder, `src/index.${options.length > 0 ? 'ts' : 'js'}`))).toBe(false);
      const checked = svcPlugin(['check'], folder);
      expect(checked.text).toContain('the store accepts it, and panels can install it');
      expect(checked.text).not.toMatch(/^(?:error|danger|warning)/m);
      expect(checked.text).toMatch(/^info +plugin\.json {2}The store requires a description/m);
      expect(svcPlugin(['pack'], folder).status).toBe(0);
      await unpack(join(folder, `${name}-0.1.0.zip`), join(panel.dataDir, 'plugins'));
      await panel.enable(name);
      expect(await panel.row(name)).toMatchObject({ status: 'active', error: '' });
      const registered = panel.registrations(name);
      if (kind === 'function') expect(await (await panel.fetch(`/${name}`)).text()).toContain(name);
      if (kind === 'nest') expect(await (await panel.fetch(`/${name}`)).json()).toEqual({ servers: 1, visits: 1 });
      if (kind === 'gateway') expect(registered).toMatchObject({ gateways: 1, tabs: 1 });
      await panel.disable(name);
      expect(panel.registrations(name)).toEqual({});
    });

    it('compiles in the author’s editor', { timeout: 60_000 }, () => {
      const modules = join(place, 'node_modules');
      mkdirSync(join(modules, '@svc'), { recursive: true });
      symlinkSync(join(PACKAGE_ROOT, 'sdk'), join(modules, '@svc/sdk'));
      for (const name of ['@types', '@nestjs', 'rxjs', 'reflect-metadata'])
        symlinkSync(join(PACKAGE_ROOT, 'node_modules', name), join(modules, name));
      for (const name of ['fn_ts', 'nest_ts', 'gateway_ts', 'driver_ts']) {
        const compiler = join(PACKAGE_ROOT, 'node_modules/typescript-7/bin/tsc');
        const { stdout } = spawnSync(process.execPath, [compiler, '-p', join(place, name)], { encoding: 'utf8' });
        expect(stdout, name).toBe('');
      }
    });
  });

  it('works without the panel’s sources when installed from its package', () => {
    const modules = join(place, 'elsewhere/node_modules');
    const installed = join(modules, '@svc/sdk');
    for (const part of ['package.json', 'bin', 'dist', 'templates'])
      cpSync(join(PACKAGE_ROOT, 'sdk', part), join(installed, part), { recursive: true });
    for (const name of ['esbuild', '@esbuild', '@swc']) symlinkSync(join(PACKAGE_ROOT, 'node_modules', name), join(modules, name));
    const run = (args: string[], cwd: string): string =>
      spawnSync(process.execPath, [join(installed, 'bin/svc-plugin.mjs'), ...args], { cwd, encoding: 'utf8' }).stdout;
    run(['create', 'far', '--kind', 'nest'], join(place, 'elsewhere'));
    const folder = join(place, 'elsewhere/far');
    expect(run(['check'], folder)).toContain('the store accepts it, and panels can install it');
    expect(run(['pack'], folder)).toContain('Packed far-0.1.0.zip');
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"@svc/sdk": "^1.84.0"');
  });

  it('creates a theme, whose record may be written in code', () => {
    const folder = created('snow', 'theme');
    expect(svcPlugin(['check'], folder)).toMatchObject({ status: 0, text: expect.stringContaining('the store accepts it') as string });
    const record = "{ name: 'snow', title: 'Snow', version: '1.2.3', scope: ['user'] }";
    put(folder, { 'src/theme.ts': `import { defineTheme } from '@svc/sdk';\nexport default defineTheme(${record});\n` });
    expect(svcPlugin(['pack'], folder).status).toBe(0);
    expect(existsSync(join(folder, 'snow-1.2.3.zip'))).toBe(true);
  });

  it.each([
    [['create', 'x', '--kind', 'plugin'], 1, 'There is no kind "plugin"'],
    [['create', 'x', '--kind', 'functoin'], 1, 'Did you mean function?'],
    [['create', 'x'], 1, '--kind gateway'],
    [['create', '--kind', 'nest'], 1, 'Name the plugin, for example'],
    [['create', '../x', '--kind', 'nest'], 1, '"../x" is not a valid name for a plugin. Use 1 to 63 letters'],
    [['create', 'con', '--kind', 'theme'], 1, '"con" is not a valid name for a theme'],
    [['create', 'core', '--kind', 'nest'], 1, '"core" is not a valid name for a plugin'],
    [['create', 'x', 'y', '--kind', 'nest'], 1, 'Unexpected argument "y"'],
    [['create', 'x', '--kin', 'nest'], 1, 'There is no option --kin. Did you mean --kind?'],
    [['create', 'x', '--kind', 'theme', '--js'], 1, '--js is not for themes'],
    [['pakc'], 2, 'Did you mean pack?'],
    [['build'], 1, 'There is no plugin.json or theme.json in'],
    [['check', 'none.zip'], 1, 'none.zip does not exist'],
  ])('refuses %j, says why, and leaves nothing behind', (args, status, text) => {
    const before = readdirSync(place);
    const run = svcPlugin(args);
    expect(run.status).toBe(status);
    expect(run.text).toContain(text);
    expect(run.text).not.toContain('    at ');
    expect(readdirSync(place)).toEqual(before);
  });

  it('leaves an existing folder unchanged', () => {
    put(place, { 'taken/mine.txt': 'mine' });
    expect(svcPlugin(['create', 'taken', '--kind', 'nest'])).toMatchObject({
      status: 1,
      text: expect.stringContaining('already exists') as string,
    });
    expect(readdirSync(join(place, 'taken'))).toEqual(['mine.txt']);
  });

  it('packs reproducibly, without files that do not belong to the package', () => {
    const one = created('same', 'function');
    put(one, { '.env': 'SECRET=1', 'notes.txt': 'mine', 'lang/.DS_Store': 'x', 'extra/data.json': '{}' });
    expect(svcPlugin(['pack'], one, { TZ: 'UTC' }).status).toBe(0);
    const first = readFileSync(join(one, 'same-0.1.0.zip'));
    expect(svcPlugin(['pack'], one, { TZ: 'Asia/Tokyo' }).text).not.toMatch(/\.env|notes|DS_Store|extra|  src\//);
    expect(readFileSync(join(one, 'same-0.1.0.zip')).equals(first)).toBe(true);
    const manifest = JSON.parse(readFileSync(join(one, 'package.json'), 'utf8')) as object;
    put(one, { 'package.json': JSON.stringify({ ...manifest, files: ['extra'] }) });
    expect(svcPlugin(['pack'], one).text).toContain('extra/data.json');
    put(one, { 'package.json': JSON.stringify({ ...manifest, files: ['none'] }) });
    expect(svcPlugin(['pack'], one)).toMatchObject({ status: 1, text: expect.stringContaining('"files" contains none') as string });
  });

  it('bundles packages with their licences, and names the one that needs a native add-on', () => {
    const folder = created('bundled', 'function', '--js');
    put(folder, {
      'node_modules/tiny/package.json': '{ "name": "tiny", "version": "2.0.0", "license": "MIT", "type": "module", "main": "index.js" }',
      'node_modules/tiny/index.js': 'export const tiny = () => "so tiny";',
      'node_modules/tiny/LICENSE': 'Permission is hereby granted to tiny',
      'node_modules/fast/package.json': '{ "name": "fast", "version": "1.0.0", "main": "index.js" }',
      'node_modules/fast/index.js': 'module.exports = require("./build/fast.node");',
      'src/index.js': "import { tiny } from 'tiny';\nexport default (svc) => { svc.svc_register_route('GET', '/tiny', tiny); };\n",
    });
    expect(svcPlugin(['build'], folder)).toMatchObject({ status: 0, text: expect.stringContaining('with tiny 2.0.0') as string });
    expect(readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('hereby granted to tiny');
    expect(readFileSync(join(folder, 'index.js.map'), 'utf8')).toContain('src/index.js');
    const built = readFileSync(join(folder, 'index.js'), 'utf8');
    put(folder, { 'src/index.js': "import fast from 'fast';\nexport default () => fast;\n" });
    const refused = svcPlugin(['build'], folder);
    expect(refused).toMatchObject({ status: 1, text: expect.stringContaining('The package "fast" needs a native add-on') as string });
    put(folder, { 'src/index.js': 'export default () => {\n  const = 1;\n};\n' });
    expect(svcPlugin(['build'], folder)).toMatchObject({ status: 1, text: expect.stringContaining('src/index.js:2:8') as string });
    expect(readFileSync(join(folder, 'index.js'), 'utf8'), 'what was built before').toBe(built);
  });

  it('bundles each script of pages with its imports into the assets of the package', async () => {
    const folder = created('paged', 'function');
    put(folder, {
      'node_modules/tiny/package.json': '{ "name": "tiny", "version": "2.0.0", "license": "MIT", "type": "module", "main": "index.js" }',
      'node_modules/tiny/index.js': 'export const tiny = "so tiny";',
      'node_modules/tiny/LICENSE': 'Permission is hereby granted to tiny',
      'browser/cart.ts': "import { shout } from './shared/shout.js';\ndocument.title = shout(document.title as string);",
      'browser/menu.js': "import { tiny } from 'tiny';\ndocument.title += tiny;",
      'browser/shared/shout.ts': 'export const shout = (text: string): string => text.toUpperCase();',
      'assets/logo.svg': '<svg  />',
    });
    const run = svcPlugin(['pack'], folder);
    expect(run).toMatchObject({
      status: 0,
      text: expect.stringMatching(/assets\/cart\.js.*assets\/menu\.js.*with tiny 2\.0\.0/) as string,
    });
    const unpacked = join(place, 'unpacked');
    await unpack(join(folder, 'paged-0.1.0.zip'), unpacked);
    const packed = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
    expect(packed.filter((path) => /browser|assets[/\\]/.test(path)).sort()).toEqual(
      ['cart.js', 'logo.svg', 'menu.js'].map((name) => join('paged', 'assets', name)),
    );
    const title = (name: string): string => {
      const document = { title: 'a shop' };
      runInNewContext(readFileSync(join(unpacked, 'paged/assets', name), 'utf8'), { document });
      return document.title;
    };
    expect([title('cart.js'), title('menu.js')]).toEqual(['A SHOP', 'a shopso tiny']);
    expect(readFileSync(join(unpacked, 'paged/THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('hereby granted to tiny');
    put(folder, { 'browser/cart.ts': "import { readFileSync } from 'node:fs';\nreadFileSync('/etc/hostname');" });
    expect(svcPlugin(['build'], folder)).toMatchObject({ status: 1, text: expect.stringContaining('browser/cart.ts:1:29') as string });
    put(folder, { 'browser/cart.ts': '', 'browser/cart.js': 'document.title = "other";' });
    expect(svcPlugin(['build'], folder)).toMatchObject({ status: 1, text: expect.stringContaining('assets/cart.js') as string });
    expect(title('cart.js'), 'what was built before').toBe('A SHOP');
  });

  it('reports what the store would say, in its words, and exits with 1 if no panel would run the plugin', () => {
    const folder = created('checked', 'function');
    const manifest = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as object;
    put(folder, { 'plugin.json': JSON.stringify({ ...manifest, requires: 'banana', mian: 'x' }), 'lang/en.json': '{' });
    const run = svcPlugin(['check'], folder);
    expect(run.status).toBe(1);
    expect(run.text).toMatch(/^error .*plugin\.json.*\[manifest\.requires\]/m);
    expect(run.text).toMatch(/^error .*lang\/en\.json.*\[manifest\.texts\]/m);
    expect(run.text).toMatch(/^warning .*mian.*\[manifest\.field_meant\]/m);
    expect(svcPlugin(['check'], folder, { LC_ALL: 'zh_CN.UTF-8' }).text).toMatch(/[\u4e00-\u9fff]/);
    put(folder, { 'plugin.json': JSON.stringify(manifest), 'lang/en.json': '{}', 'src/index.ts': 'export default () => eval("1");\n' });
    expect(svcPlugin(['check'], folder)).toMatchObject({ status: 0, text: expect.stringMatching(/^danger .*\[eval\]/m) as string });
    put(place, { 'broken.zip': 'no ZIP' });
    expect(svcPlugin(['check', 'broken.zip'])).toMatchObject({
      status: 1,
      text: expect.stringContaining('the store rejects it') as string,
    });
  });
});

describe('docs/plugin-authors.md', () => {
  it('leads from an empty folder to a package, word for word', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(COMMAND, join(bin, 'svc-plugin'));
    const page = readFileSync(join(PACKAGE_ROOT, 'docs/plugin-authors.md'), 'utf8');
    const section = page.slice(page.indexOf('## Make one'), page.indexOf('## Publish'));
    const commands = [...section.matchAll(/```sh\n([^]*?)```/g)].map((match) => match[1]!).join('');
    const script = `set -e\nnpx() { "$@"; }\n${commands}`;
    try {
      const env = {
        ...process.env,
        PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
        XDG_CONFIG_HOME: join(folder, 'settings'),
      };
      const { status, stdout, stderr } = spawnSync('/bin/bash', ['-c', script], { cwd: folder, encoding: 'utf8', env });
      expect(status, stdout + stderr).toBe(0);
      expect(commands.match(/svc-plugin/g)?.length).toBeGreaterThanOrEqual(4);
      expect(readdirSync(join(folder, 'coupons'))).toContain('coupons-0.1.0.zip');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { PluginOptions } from '../../src/plugin-registry/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;

beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

/** Returns a plugin with one operation that answers its slug and version. */
const ping = (slug: string, version = '1.0.0'): string =>
  functionPlugin(`svc.svc_register_ajax('user', 'p_${slug}_ping', () => ({ from: '${slug}', version: '${version}' }));`);

async function answers(slug: string): Promise<string> {
  const response = await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn: `p_${slug}_ping` }) });
  const body = (await response.json()) as { from?: string; version?: string };
  return body.from === slug ? String(body.version) : 'nothing';
}

function plugin(slug: string, manifest: Record<string, unknown> = {}): void {
  writePlugin(panel.dataDir, slug, { manifest, files: { 'index.js': ping(slug, String(manifest.version ?? '1.0.0')) } });
}

describe('the life of a plugin', () => {
  it('includes discovery, installation, enabling, disabling and removal while the panel runs', async () => {
    plugin('life', { name: 'Life', version: '1.2.3', author: 'me' });
    expect(await panel.row('life')).toMatchObject({
      name: 'Life',
      version: '1.2.3',
      author: 'me',
      installed: false,
      enabled: false,
      status: 'available',
      error: '',
    });

    expect(await panel.admin('plugin_install', { slug: 'life' })).toMatchObject({ success: true, qk: 1 });
    expect(await panel.row('life')).toMatchObject({ installed: true, enabled: false, status: 'installed' });
    expect(await answers('life')).toBe('nothing');

    expect(await panel.tryEnable('life')).toMatchObject({ success: true });
    expect(await panel.row('life')).toMatchObject({ enabled: true, status: 'active', error: '' });
    expect(await answers('life')).toBe('1.2.3');

    expect(await panel.disable('life')).toMatchObject({ success: true });
    expect(await answers('life')).toBe('nothing');
    expect(panel.registrations('life')).toEqual({});

    expect(await panel.admin('plugin_uninstall', { slug: 'life' })).toMatchObject({ success: true });
    expect(await panel.row('life')).toMatchObject({ installed: false, status: 'available' });
  });

  it('installs it automatically when it is enabled directly, and loads new files when it is enabled again', async () => {
    plugin('update');
    expect(await panel.tryEnable('update')).toMatchObject({ success: true });
    plugin('update', { version: '2.0.0' });
    expect(await answers('update')).toBe('1.0.0');
    expect(await panel.tryEnable('update')).toMatchObject({ success: true });
    expect(await answers('update')).toBe('2.0.0');
    expect(await panel.row('update')).toMatchObject({ version: '2.0.0', db_version: '2.0.0' });
  });

  it('restores its state after a restart: enabled or disabled', async () => {
    plugin('stays');
    plugin('off');
    await panel.enable('stays');
    await panel.enable('off');
    await panel.disable('off');
    await panel.restart();
    expect([await answers('stays'), await answers('off')]).toEqual(['1.0.0', 'nothing']);
    expect(await panel.row('off')).toMatchObject({ installed: true, enabled: false, status: 'installed' });
  });

  it('keeps or drops options and tables at removal, as the administrator chooses', async () => {
    const source = functionPlugin(`
      await svc.db.migrate([{ id: '1', up: (schema) => schema.createTable({ name: 'notes', columns: [{ name: 'note',
        type: 'string' }] }) }]);
      svc.svc_register_ajax('user', 'p_keeper_add', async (ctx) => {
        await svc.db.run('INSERT INTO {notes} (note) VALUES (?)', [ctx.body.note]);
        await svc.svc_plugin_option_set('keeper', 'last', ctx.body.note);
        return {};
      });
      svc.svc_register_ajax('user', 'p_keeper_all', async () => ({
        notes: (await svc.db.query('SELECT note FROM {notes}')).map((row) => row.note),
        last: await svc.svc_plugin_option_get('keeper', 'last') }));
    `);
    writePlugin(panel.dataDir, 'keeper', source);
    const call = async (gn: string, fields = {}): Promise<unknown> =>
      (await panel.fetch('/user/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }) })).json();

    await panel.enable('keeper');
    await call('p_keeper_add', { note: 'one' });
    expect(await panel.admin('plugin_uninstall', { slug: 'keeper', data: 'keep' })).toMatchObject({ success: true });
    await panel.enable('keeper');
    expect(await call('p_keeper_all')).toEqual({ notes: ['one'], last: 'one' });

    expect(await panel.admin('plugin_uninstall', { slug: 'keeper', data: 'drop' })).toMatchObject({ success: true });
    expect(await panel.get(PluginOptions).all('keeper')).toEqual({});
    await expect(panel.get(Database).query('SELECT * FROM `SVC_plg_keeper_notes`')).rejects.toThrow();
    await panel.enable('keeper');
    expect(await call('p_keeper_all')).toEqual({ notes: [], last: null });
  });

  it('prefers the data folder if a bundled plugin has the same slug', async () => {
    expect(await panel.row('sandbox')).toMatchObject({ installed: false });
    plugin('sandbox', { version: '99.0.0' });
    await panel.enable('sandbox');
    expect(await answers('sandbox')).toBe('99.0.0');
    await panel.admin('plugin_uninstall', { slug: 'sandbox' });
  });

  it('refuses a slug installed in another spelling, and leaves the installed plugin alone', async () => {
    plugin('Case');
    plugin('case', { version: '2.0.0' });
    await panel.enable('Case');
    expect(await panel.admin('plugin_install', { slug: 'case' })).toMatchObject({
      success: false,
      err: 'E_EXISTS',
      code: expect.stringContaining('Case') as string,
    });
    expect(await panel.tryEnable('case')).toMatchObject({ success: false, err: 'E_EXISTS' });
    expect(await panel.disable('case')).toMatchObject({ success: false });
    expect(await panel.admin('plugin_uninstall', { slug: 'case' })).toMatchObject({ success: false });
    expect(await panel.row('Case')).toMatchObject({ status: 'active', db_version: '1.0.0' });
  });
});

describe('an invalid package', () => {
  it.each([
    ['json', '{ "id": ', 'E_ARGS', /plugin\.json/],
    ['array', '[]', 'E_ARGS', /plugin\.json/],
  ])('is reported with the reason: broken plugin.json (%s)', async (name, manifest, err, text) => {
    writePlugin(panel.dataDir, `broken_${name}`, { manifest, files: { 'index.js': '' } });
    expect(await panel.admin('plugin_install', { slug: `broken_${name}` })).toMatchObject({
      success: false,
      err,
      code: expect.stringMatching(text) as string,
    });
    expect((await panel.row(`broken_${name}`))?.error).toMatch(text);
  });

  it('is reported with the reason: no folder, no manifest, no entry, an invalid slug', async () => {
    mkdirSync(join(panel.dataDir, 'plugins', 'empty'));
    writePlugin(panel.dataDir, 'noentry', { manifest: { main: 'dist/main.js' } });
    expect(await panel.admin('plugin_install', { slug: 'nowhere' })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
    expect(await panel.admin('plugin_install', { slug: 'empty' })).toMatchObject({
      success: false,
      err: 'E_NOTEXIST',
      code: expect.stringContaining('plugin.json') as string,
    });
    expect(await panel.admin('plugin_install', { slug: 'noentry' })).toMatchObject({
      success: false,
      err: 'E_NOTEXIST',
      code: expect.stringContaining('dist/main.js') as string,
    });
    for (const slug of ['../sandbox', 'a/b', '', '-x', 'x'.repeat(64), 'core', '.', 'a b']) {
      expect(await panel.admin('plugin_install', { slug })).toMatchObject({ success: false, err: 'E_ARGS' });
    }
  });

  it('cannot start code outside its folder, by path or by link', async () => {
    writeFileSync(join(panel.dataDir, 'plugins', 'outside.js'), 'globalThis.svcOutside = true; module.exports = () => {};');
    writePlugin(panel.dataDir, 'escape1', { manifest: { main: '../outside.js' } });
    writePlugin(panel.dataDir, 'escape2', { manifest: { main: join(panel.dataDir, 'plugins', 'outside.js') } });
    writePlugin(panel.dataDir, 'escape3', { manifest: { main: 'lib/../../outside.js' } });
    const linked = writePlugin(panel.dataDir, 'escape4', {});
    symlinkSync(join(panel.dataDir, 'plugins', 'outside.js'), join(linked, 'index.js'));
    const linkedFolder = writePlugin(panel.dataDir, 'escape5', { manifest: { main: 'lib/outside.js' } });
    symlinkSync(join(panel.dataDir, 'plugins'), join(linkedFolder, 'lib'));
    writePlugin(panel.dataDir, 'escape6', "require('../outside.js'); module.exports = () => {};");
    for (const number of [1, 2, 3, 4, 5, 6]) {
      expect(await panel.tryEnable(`escape${number}`), `escape${number}`).toMatchObject({ success: false });
      expect((await panel.row(`escape${number}`))?.error, `escape${number}`).not.toBe('');
    }
    expect((globalThis as { svcOutside?: boolean }).svcOutside).toBeUndefined();
  });

  it('needs a panel that provides its API version', async () => {
    const ranges: [Record<string, unknown>, boolean][] = [
      [{ requires: '^1.84.0' }, true],
      [{ requires: '>=1.80 <2' }, true],
      [{ requires: '^2.0.0' }, false],
      [{ requires: '~1.83.0' }, false],
      [{ requires: 'nonsense!' }, false],
      [{ requires_svc: '1.81' }, true],
      [{ requires_svc: '1.84' }, true],
      [{ requires_svc: '1.85' }, false],
      [{ requires: '^1.0.0', requires_svc: '1.85' }, false],
    ];
    for (const [index, [manifest, fits]] of ranges.entries()) {
      plugin(`api${index}`, manifest);
      expect((await panel.tryEnable(`api${index}`)).success, JSON.stringify(manifest)).toBe(fits);
    }
    expect((await panel.tryEnable('api7')).code).toContain('1.84.0');
  });
});

describe('dependent plugins', () => {
  it('can be installed and enabled only in order', async () => {
    plugin('base');
    plugin('shop', { requires_plugins: ['base'] });
    expect(await panel.admin('plugin_install', { slug: 'shop' })).toMatchObject({
      success: false,
      err: 'E_STATE',
      code: expect.stringContaining('base') as string,
    });
    await panel.admin('plugin_install', { slug: 'base' });
    expect(await panel.admin('plugin_install', { slug: 'shop' })).toMatchObject({ success: true });
    expect(await panel.tryEnable('shop')).toMatchObject({
      success: false,
      err: 'E_STATE',
      code: expect.stringContaining('base') as string,
    });
    expect(await panel.row('shop')).toMatchObject({ enabled: false, status: 'installed' });
    await panel.enable('base');
    await panel.enable('shop');
    expect(await answers('shop')).toBe('1.0.0');
  });

  it('stop with their dependencies and restart with them, through every level', async () => {
    plugin('shop_extra', { requires_plugins: { shop: '^1.0.0' } });
    await panel.enable('shop_extra');
    const answer = await panel.disable('base');
    expect(answer).toMatchObject({ success: true });
    expect(answer.data.stopped?.toSorted()).toEqual(['shop', 'shop_extra']);
    expect([await answers('base'), await answers('shop'), await answers('shop_extra')]).toEqual(['nothing', 'nothing', 'nothing']);
    expect(panel.registrations('shop')).toEqual({});
    expect(await panel.row('shop')).toMatchObject({ enabled: true, status: 'waiting', error: expect.stringContaining('base') as string });
    expect(await panel.row('shop_extra')).toMatchObject({ enabled: true, status: 'waiting' });
    await panel.enable('base');
    expect([await answers('shop'), await answers('shop_extra')]).toEqual(['1.0.0', '1.0.0']);
    expect(await panel.row('shop')).toMatchObject({ status: 'active', error: '' });
  });

  it('start after their dependencies, whatever the order of installation', async () => {
    const started = (slug: string): string => functionPlugin(`(globalThis.svcStarted ??= []).push('${slug}');`);
    writePlugin(panel.dataDir, 'z_first', { files: { 'index.js': started('z_first') } });
    writePlugin(panel.dataDir, 'a_second', { files: { 'index.js': started('a_second') } });
    await panel.enable('a_second');
    await panel.enable('z_first');
    writePlugin(panel.dataDir, 'a_second', { manifest: { requires_plugins: ['z_first'] }, files: { 'index.js': started('a_second') } });
    const seen = globalThis as { svcStarted?: string[] };
    seen.svcStarted = [];
    await panel.restart();
    expect(seen.svcStarted).toEqual(['z_first', 'a_second']);
    delete seen.svcStarted;
  });

  it('cannot be removed while an enabled plugin needs them', async () => {
    expect(await panel.admin('plugin_uninstall', { slug: 'shop' })).toMatchObject({
      success: false,
      err: 'E_INUSE',
      code: expect.stringContaining('shop_extra') as string,
    });
    expect(await panel.row('shop')).toMatchObject({ installed: true, status: 'active' });
    await panel.disable('shop_extra');
    expect(await panel.admin('plugin_uninstall', { slug: 'shop' })).toMatchObject({ success: true });
  });

  it('declare the version they need', async () => {
    plugin('engine', { version: '1.4.0' });
    await panel.enable('engine');
    plugin('wants_new', { requires_plugins: { engine: '^2.0.0' } });
    plugin('wants_old', { requires_plugins: { engine: '>=1.2 <2' } });
    plugin('wants_odd', { requires_plugins: { engine: 'one or two' } });
    await panel.admin('plugin_install', { slug: 'wants_new' });
    expect((await panel.tryEnable('wants_new')).code).toMatch(/engine.*\^2\.0\.0.*1\.4\.0/);
    expect(await panel.tryEnable('wants_odd')).toMatchObject({ success: false, err: 'E_ARGS' });
    await panel.enable('wants_old');
    plugin('engine', { version: '2.1.0' });
    expect(await panel.tryEnable('engine')).toMatchObject({ success: true });
    expect(await panel.row('wants_old')).toMatchObject({ enabled: true, status: 'waiting' });
    expect(await panel.tryEnable('wants_new')).toMatchObject({ success: true });
  });

  it('are refused on a cycle, which is reported with its path', async () => {
    plugin('ring_a', { requires_plugins: ['ring_b'] });
    plugin('ring_b', { requires_plugins: ['ring_c'] });
    plugin('ring_c', { requires_plugins: ['ring_a'] });
    expect((await panel.admin('plugin_install', { slug: 'ring_a' })).code).toContain('ring_a → ring_b → ring_c → ring_a');
    plugin('late_a');
    plugin('late_b', { requires_plugins: ['late_a'] });
    await panel.enable('late_a');
    await panel.enable('late_b');
    plugin('late_a', { requires_plugins: ['late_b'] });
    expect((await panel.tryEnable('late_a')).code).toContain('late_a → late_b → late_a');
    await panel.restart();
    expect((await panel.row('late_a'))?.error).toMatch(/late_[ab] → late_[ab] → late_[ab]/);
    expect(await answers('stays')).toBe('1.0.0');
  });
});

describe('a plugin that is missing or broken at the next start', () => {
  it('does not keep the panel and the others from starting', async () => {
    plugin('vanishes');
    plugin('breaks');
    await panel.enable('vanishes');
    await panel.enable('breaks');
    rmSync(join(panel.dataDir, 'plugins', 'vanishes'), { recursive: true });
    writePlugin(panel.dataDir, 'breaks', 'throw new Error("broken by an update");');
    await panel.restart();
    expect(await answers('stays')).toBe('1.0.0');
    expect(await panel.row('breaks')).toMatchObject({
      enabled: true,
      status: 'active',
      error: expect.stringContaining('broken by an update') as string,
    });
    expect(await answers('breaks')).toBe('1.0.0');
    expect((await panel.fetch('/readyz')).status).toBe(200);
    expect(await panel.admin('plugin_uninstall', { slug: 'vanishes' })).toMatchObject({ success: true });
    plugin('breaks', { version: '1.0.1' });
    await panel.enable('breaks');
    expect(await answers('breaks')).toBe('1.0.1');
  });

  it('is rolled back to the previous version, with its dependents, if its new version does not start', async () => {
    plugin('floor');
    plugin('roof', { requires_plugins: ['floor'] });
    await panel.enable('floor');
    await panel.enable('roof');
    writePlugin(panel.dataDir, 'floor', 'module.exports = () => { throw new Error("no more"); };');
    expect(await panel.tryEnable('floor')).toMatchObject({ success: false, code: expect.stringContaining('no more') as string });
    expect(await panel.row('floor')).toMatchObject({
      enabled: true,
      status: 'active',
      error: expect.stringContaining('no more') as string,
    });
    expect(await panel.row('roof')).toMatchObject({ enabled: true, status: 'active', error: '' });
    expect([await answers('floor'), await answers('roof')]).toEqual(['1.0.0', '1.0.0']);
    plugin('floor', { version: '1.0.2' });
    await panel.enable('floor');
    expect([await answers('floor'), await answers('roof')]).toEqual(['1.0.2', '1.0.0']);
  });
});

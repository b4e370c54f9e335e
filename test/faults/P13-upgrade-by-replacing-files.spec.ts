import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { TestPanel, type PluginRow } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';
import { tidyHtml } from '../support/tidy-html.js';

let panel: TestPanel;
beforeAll(async () => {
  panel = await TestPanel.start();
});
afterAll(() => panel.close());

/** Puts files of a version into the folder; they respond with their version at `/<slug>`, in a file next to the entry, or throw. */
function put(
  slug: string,
  version: string,
  { manifest = {}, throws = '' }: { manifest?: Record<string, unknown>; throws?: string } = {},
): void {
  const code = throws ? `throw new Error('${throws}');` : `svc.svc_register_route('GET', '/${slug}', () => require('./answer.js'));`;
  writePlugin(panel.dataDir, slug, {
    manifest: { version, ...manifest },
    files: { 'index.js': functionPlugin(code), 'answer.js': `module.exports = '${version}';` },
  });
}
const answer = async (slug: string): Promise<string | number> => {
  const response = await panel.fetch(`/${slug}`);
  return response.ok ? response.text() : response.status;
};
const row = async (slug: string): Promise<PluginRow & Record<string, unknown>> =>
  (await panel.row(slug)) as PluginRow & Record<string, unknown>;
const kept = (slug: string): string[] =>
  existsSync(join(panel.dataDir, 'plugin-versions', slug)) ? readdirSync(join(panel.dataDir, 'plugin-versions', slug)) : [];

describe('P13 upgrade by replacing files', () => {
  it('the list shows the running version and the one on disk, and one click switches', async () => {
    put('told', '1.0.0');
    await panel.enable('told');
    expect(await row('told')).toMatchObject({ version: '1.0.0', disk_version: '1.0.0', replaced: false, upgrade: '' });
    put('told', '1.1.0', { manifest: { name: 'Another name' } });
    expect(await row('told')).toMatchObject({
      name: 'told',
      version: '1.0.0',
      db_version: '1.0.0',
      disk_version: '1.1.0',
      replaced: true,
      status: 'active',
      error: '',
      upgrade: '正在运行 1.0.0，磁盘上是 1.1.0',
    });
    const page = tidyHtml(await (await panel.adminFetch('/admin/plugins')).text());
    expect(page.replaceAll('&#34;', '"')).toContain('data-ajax="plugin_enable" data-fields="{"slug":"told","enabled":"true"}"');
    expect(await panel.tryEnable('told')).toMatchObject({ success: true });
    expect(await answer('told')).toBe('1.1.0');
    expect(await row('told')).toMatchObject({
      name: 'Another name',
      version: '1.1.0',
      db_version: '1.1.0',
      disk_version: '1.1.0',
      replaced: false,
      upgrade: '',
    });
    expect(kept('told')).toHaveLength(1);
  });

  it('changed files of the same version are detected, whichever code file it is; data next to it is not code', async () => {
    const folder = join(panel.dataDir, 'plugins', 'told');
    writeFileSync(join(folder, 'cache.json'), '{}');
    expect(await row('told')).toMatchObject({ replaced: false });
    writeFileSync(join(folder, 'answer.js'), "module.exports = 'mended';");
    expect(await row('told')).toMatchObject({
      version: '1.1.0',
      disk_version: '1.1.0',
      replaced: true,
      upgrade: '正在运行 1.1.0，磁盘上是 1.1.0 的另一份文件',
    });
    await panel.tryEnable('told');
    expect([await answer('told'), (await row('told')).replaced]).toEqual(['mended', false]);
  });

  it.each([
    ['a package it brings', 'node_modules/helper/index.js'],
    ['a package of a scope', 'node_modules/@own/helper/data.json'],
    ['a template', 'templates/mail.txt'],
    ['a text', 'lang/en.json'],
    ['a page', 'lib/page.html'],
  ])('%s is detected when only it is replaced, and used after the switch', async (_what, file) => {
    const path = join(panel.dataDir, 'plugins', 'told', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{}');
    expect(await row('told')).toMatchObject({ version: '1.1.0', disk_version: '1.1.0', replaced: true });
    await panel.tryEnable('told');
    expect(await row('told')).toMatchObject({ replaced: false });
    const [print] = kept('told');
    expect(existsSync(join(panel.dataDir, 'plugin-versions', 'told', print!, file))).toBe(true);
  });

  it('files that request more permissions say so before the switch', async () => {
    const asking = (...permissions: string[]): string =>
      writePlugin(panel.dataDir, 'modest', { manifest: { permissions }, files: { 'index.js': functionPlugin('') } });
    asking('hosts', 'network:a.example.com');
    await panel.enable('modest');
    // The page has the text of the question once, and the rows' values for it.
    const isAsked = async (): Promise<boolean> => {
      const page = await (await panel.adminFetch('/admin/plugins', { headers: { 'Accept-Language': 'en' } })).text();
      return (
        page.includes('They ask for more than before') && page.includes('connects to b.example.com; sends email on behalf of the panel')
      );
    };
    expect([(await row('modest')).more, await isAsked()]).toEqual(['', false]);
    asking('network:b.example.com', 'hosts', 'mail');
    expect((await row('modest')).more).toBe('连接 b.example.com；以面板的名义发送邮件');
    expect(await isAsked()).toBe(true);
    asking('hosts');
    expect([(await row('modest')).more, await isAsked()]).toEqual(['', false]);
    await panel.disable('modest');
  });

  it('half-replaced files disable nothing when another plugin is enabled', async () => {
    writePlugin(panel.dataDir, 'told', { manifest: '{ "id": ', files: {} });
    put('other', '1.0.0');
    await panel.enable('other');
    expect(await answer('told')).toBe('mended');
    expect(await row('told')).toMatchObject({
      status: 'active',
      version: '1.1.0',
      disk_version: '',
      replaced: false,
      upgrade: '正在运行 1.1.0，磁盘上的文件无法识别为插件',
      error: expect.stringContaining('plugin.json') as string,
    });
    await panel.restart();
    expect(await answer('told')).toBe('mended');
  });

  it('a failing upgrade returns to the running version, with its dependents, and says so; also at the next start', async () => {
    put('floor', '1.0.0');
    put('roof', '1.0.0', { manifest: { requires_plugins: { floor: '^1.0.0' } } });
    await panel.enable('floor');
    await panel.enable('roof');
    put('floor', '2.0.0', { throws: 'no more' });
    const refused = await panel.tryEnable('floor');
    expect(refused).toMatchObject({ success: false, err: 'E_STATE' });
    expect(refused.code).toMatch(/2\.0\.0.*1\.0\.0.*no more/);
    const isBack = async (): Promise<void> => {
      expect([await answer('floor'), await answer('roof')]).toEqual(['1.0.0', '1.0.0']);
      expect(await row('floor')).toMatchObject({
        enabled: true,
        status: 'active',
        version: '1.0.0',
        db_version: '1.0.0',
        disk_version: '2.0.0',
        replaced: true,
        error: expect.stringMatching(/2\.0\.0.*1\.0\.0.*no more/) as string,
      });
      expect(await row('roof')).toMatchObject({ enabled: true, status: 'active', error: '' });
    };
    await isBack();
    await panel.restart();
    await isBack();
    expect((await panel.fetch('/readyz')).status).toBe(200);
    put('floor', '1.0.1');
    expect(await panel.tryEnable('floor')).toMatchObject({ success: true });
    expect([await answer('floor'), await answer('roof')]).toEqual(['1.0.1', '1.0.0']);
    expect(await row('floor')).toMatchObject({ version: '1.0.1', replaced: false, error: '' });
    expect(kept('floor')).toHaveLength(1);
  });

  it('a new version with unmet requirements does not disable it at the next start', async () => {
    put('floor', '1.2.0', { manifest: { requires_plugins: ['nowhere'] } });
    await panel.restart();
    expect([await answer('floor'), await answer('roof')]).toEqual(['1.0.1', '1.0.0']);
    expect(await row('floor')).toMatchObject({
      version: '1.0.1',
      disk_version: '1.2.0',
      error: expect.stringMatching(/1\.2\.0.*1\.0\.1.*nowhere/) as string,
    });
  });

  it('a dependent with new files uses them when it restarts, or rolls back automatically', async () => {
    put('floor', '1.3.0');
    put('roof', '1.1.0', { manifest: { requires_plugins: { floor: '^1.0.0' } }, throws: 'leaks' });
    expect(await panel.tryEnable('floor')).toMatchObject({ success: true });
    expect([await answer('floor'), await answer('roof')]).toEqual(['1.3.0', '1.0.0']);
    expect(await row('roof')).toMatchObject({ version: '1.0.0', disk_version: '1.1.0', error: expect.stringContaining('leaks') as string });
    put('roof', '1.2.0', { manifest: { requires_plugins: { floor: '^1.0.0' } } });
    expect(await panel.tryEnable('floor')).toMatchObject({ success: true });
    expect([await answer('roof'), (await row('roof')).version]).toEqual(['1.2.0', '1.2.0']);
  });

  it('resources opened by the previous version are known as its own, and closed with it', async () => {
    const servers = ((globalThis as Record<string, unknown>).p13servers = []) as { listening: boolean }[];
    writePlugin(
      panel.dataDir,
      'opener',
      functionPlugin("globalThis.p13servers.push(require('node:http').createServer().listen(0, '127.0.0.1'));"),
    );
    await panel.enable('opener');
    put('opener', '1.1.0', { throws: 'no' });
    expect((await panel.tryEnable('opener')).success).toBe(false);
    await expect.poll(() => servers.map(({ listening }) => listening)).toEqual([false, true]);
    await panel.disable('opener');
    await expect.poll(() => servers.map(({ listening }) => listening)).toEqual([false, false]);
  });

  it('a disabled one stays disabled when it does not start, and an uninstalled one keeps nothing', async () => {
    await panel.disable('told');
    rmSync(join(panel.dataDir, 'plugins', 'told'), { recursive: true });
    put('told', '1.4.0', { throws: 'never' });
    expect((await panel.tryEnable('told')).code).toContain('never');
    expect(await row('told')).toMatchObject({ enabled: false, status: 'installed' });
    expect(kept('told')).toHaveLength(1);
    expect(await panel.admin('plugin_uninstall', { slug: 'told' })).toMatchObject({ success: true });
    expect(kept('told')).toEqual([]);
  });
});

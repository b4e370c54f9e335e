import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Faults } from '../../src/common/index.js';
import { Database, type SqlValue } from '../../src/database/index.js';
import { PluginError, SafeModeLink } from '../../src/plugin-registry/index.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

let panel: TestPanel;
beforeEach(async () => {
  panel = await TestPanel.start();
  writePlugin(panel.dataDir, 'routed', functionPlugin("svc.svc_register_route('GET', '/routed', () => 'here');"));
  await panel.enable('routed');
});
afterEach(() => panel.close());

const status = async (slug = 'routed'): Promise<string | undefined> => (await panel.row(slug))?.status;
const page = async (path = '/admin/'): Promise<string> => (await panel.adminFetch(path)).text();
const serves = async (): Promise<number> => (await panel.fetch('/routed')).status;

describe('quarantine', () => {
  it('starts with the third strike in ten minutes, counts across restarts, is shown on every page, and ends with one button', async () => {
    const strike = (): void =>
      panel.get(Faults).strike('routed', 'stall', 'listener of menu.admin', new Error('The event loop stood still for 900 ms.'));
    strike();
    strike();
    await panel.restart();
    expect(await status()).toBe('active');
    strike();
    await expect.poll(() => status()).toBe('quarantined');
    expect(await serves()).toBe(404);
    expect((await panel.row('routed'))?.error).toMatch(/menu\.admin 的监听函数: The event loop stood still/);
    for (const path of ['/admin/', '/admin/plugins', '/admin/settings'])
      expect(await page(path)).toMatch(/id="banner-quarantine-routed"[^]*data-ajax="plugin_retry"/);
    await panel.restart();
    expect(await status()).toBe('quarantined');
    expect(await panel.admin('plugin_retry', { slug: 'routed' })).toMatchObject({ success: true });
    expect([await status(), await serves()]).toEqual(['active', 200]);
    expect(await page()).not.toContain('banner-quarantine');
    strike();
    strike();
    expect(await status()).toBe('active');
  });

  it("shows the reason in the reader's language, with the time of the panel's clock; a row of an older panel stays as it is", async () => {
    const text = async (locale: string): Promise<string> => {
      const body = new URLSearchParams({ gn: 'plugin_list' });
      const answer = await panel.adminFetch('/admin/ajax.php', { method: 'POST', body, headers: { 'Accept-Language': locale } });
      const { rows } = (await answer.json()) as { rows: { slug: string; error: string }[] };
      return rows.find(({ slug }) => slug === 'routed')!.error;
    };
    for (let n = 0; n < 3; n += 1)
      panel.get(Faults).strike('routed', 'stall', 'route GET /routed', new PluginError('STALLED', { milliseconds: 900 }));
    await expect.poll(() => status()).toBe('quarantined');
    const set = (column: string, value: SqlValue): Promise<unknown> =>
      panel
        .get(Database)
        .statement(`UPDATE {InstalledPlugin} SET {InstalledPlugin.${column}} = ? WHERE {InstalledPlugin.slug} = 'routed'`)
        .run(value);
    await set('quarantinedAt', new Date('2026-11-21T17:30:00Z'));
    await panel.restart();
    expect(await text('en')).toContain('Disabled since 2026-11-22 01:30 UTC+8: ');
    expect(await text('en')).toContain('route GET /routed: the panel was blocked for 900 ms');
    expect(await text('zh-CN')).toContain('2026-11-22 01:30 UTC+8');
    expect(await text('zh-CN')).toContain('路由 GET /routed: 900 毫秒内其他一切都无法运行');
    expect(await text('zh-CN')).not.toContain('17:30');
    await set('quarantineReason', 'timer: words of an older panel');
    await panel.restart();
    expect(await text('zh-CN')).toContain('timer: words of an older panel');
  });

  it('is not caused by caught errors, or by one failure reported twice', async () => {
    const error = new Error('thrown once, met twice');
    for (let n = 0; n < 5; n += 1) {
      panel.get(Faults).report('routed', 'route', new Error('caught'));
      panel.get(Faults).strike('routed', 'crash', 'process.exit()', error);
    }
    await panel.restart();
    expect(await status()).toBe('active');
  });
});

describe('safe mode', () => {
  it('by the link of the start message stops every plugin although the admin side hangs; works once; and is left on the page', async () => {
    writePlugin(panel.dataDir, 'hanging', functionPlugin("svc.svc_add_action('menu.admin', () => new Promise(() => {}));"));
    await panel.enable('hanging');
    const { path } = panel.get(SafeModeLink);
    expect((await panel.fetch('/safe-mode?token=wrong', { method: 'POST' })).status).toBe(404);
    const asked = await panel.fetch(path);
    expect([asked.status, (await asked.text()).includes('method="post"')]).toEqual([200, true]);
    expect(await serves()).toBe(200);
    expect((await panel.fetch(path, { method: 'POST' })).status).toBe(200);
    expect([await serves(), await status(), await status('hanging')]).toEqual([404, 'waiting', 'waiting']);
    expect((await panel.fetch(path, { method: 'POST' })).status).toBe(404);
    expect(await page()).toMatch(/id="banner-safe-mode"[^]*data-ajax="plugin_safe_mode"/);
    expect((await panel.tryEnable('routed')).code).toMatch(/安全模式/);
    expect((await panel.disable('hanging')).success).toBe(true);
    expect(await panel.admin('plugin_safe_mode', { enabled: 'false' })).toMatchObject({ success: true });
    expect([await serves(), await status('hanging')]).toEqual([200, 'installed']);
    expect(await page()).not.toContain('banner-safe-mode');
  });

  it('by SAFE_MODE=1 starts no plugin', async () => {
    const other = await TestPanel.start({ SAFE_MODE: '1', DATA_DIR: panel.dataDir, DATABASE_URL: panel.place.databaseUrl });
    try {
      expect((await other.fetch('/routed')).status).toBe(404);
      expect((await other.fetch('/readyz')).status).toBe(200);
      expect(await (await other.adminFetch('/admin/plugins')).text()).toContain('banner-safe-mode');
    } finally {
      await other.close();
    }
  });
});

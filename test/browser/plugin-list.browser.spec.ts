import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { CallDeadlines } from '../../src/common/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt, picture } from '../support/browser.js';
import { type TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const NEWS = functionPlugin("svc.svc_register_route('GET', '/news', () => 'old');");

describe.skipIf(!hasBrowser)('the plugin list', () => {
  let panel: TestPanel;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, page } = opened),
    async (panel) => {
      panel.get(CallDeadlines).route = 100;
      writePlugin(panel.dataDir, 'news', NEWS);
      writePlugin(panel.dataDir, 'misspelt', functionPlugin("svc.svc_add_action('ordr.paid', () => {});"));
      writePlugin(panel.dataDir, 'silent', functionPlugin("svc.svc_register_route('GET', '/silent', () => new Promise(() => {}));"));
      for (const slug of ['news', 'misspelt', 'silent']) await panel.enable(slug);
    },
  );

  const row = (slug: string) => page.locator('#plugins tr').filter({ has: page.getByText(slug, { exact: true }) });

  const look = (path: string, name: string, ready: string): Promise<void> =>
    lookAt(page, `${panel.url}${path}`, name, () => page.getByText(ready).first().waitFor());

  it('names a misspelt hook, and a pending upgrade, which one button installs', async () => {
    writePlugin(panel.dataDir, 'news', { manifest: { version: '2.0.0' }, files: { 'index.js': NEWS.replace('old', 'new') } });
    await look('/admin/plugins', 'plugins-list', 'misspelt');
    expect(await row('misspelt').innerText()).toContain('Did you mean order.paid?');
    expect(await row('news').innerText()).toContain('1.0.0 is running, 2.0.0 is on disk');
    await picture(page, 'plugins-hint', { fullPage: true });
    await row('news').getByRole('button', { name: 'Switch over' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch over' }).click();
    await expect.poll(async () => (await panel.fetch('/news')).text()).toBe('new');
    await expect.poll(() => row('news').innerText()).not.toContain('on disk');
  });

  it('shows paused calls, and its page of counters lists each location', async () => {
    for (let i = 0; i < 5; i += 1) expect((await panel.fetch('/silent')).status).toBe(504);
    const refused = await panel.fetch('/silent', { headers: { 'Accept-Language': 'en' } });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    await look('/admin/plugins', 'plugins-paused', 'silent');
    expect(await row('silent').innerText()).toContain('paused after repeated timeouts: 1');
    await row('silent').getByRole('link', { name: 'Calls' }).click();
    await page.waitForURL(/plugin-calls\?slug=silent/);
    await look('/admin/plugin-calls?slug=silent', 'plugin-calls', 'GET /silent');
    expect(await page.locator('#plugin-calls tr', { hasText: 'GET /silent' }).innerText()).toContain('Paused');
    expect(problems).toEqual([]);
  });
});

import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { CallDeadlines } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { EventDelivery } from '../../src/hooks/index.js';
import { Orders, Settlement } from '../../src/payment/index.js';
import { RuntimeLimits } from '../../src/plugin-registry/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, newPage, picture } from '../support/browser.js';
import { hostilePlugin } from '../support/hostile-plugins.js';
import { type TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const LIMIT = 200;

describe.skipIf(!hasBrowser)('P2 plugins that hang, as a reseller sees them', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, browser, page } = opened),
    async (panel) => {
      panel.get(RuntimeLimits).drain = 20;
      Object.assign(panel.get(CallDeadlines), { page: LIMIT, route: LIMIT, durable: LIMIT, action: LIMIT });
      writePlugin(
        panel.dataDir,
        'gate',
        functionPlugin(
          "svc.svc_register_payment(svc.slug, { name: 'Gate', methods: { a: 'A' }, build: () => 'https://gateway.example/' });",
        ),
      );
      writePlugin(panel.dataDir, 'hostile', hostilePlugin('hang', 'adminMenu', 'orderPaid', 'route'));
      await panel.enable('gate');
    },
  );
  beforeAll(async () => {
    await panel.enable('hostile');
  });

  const row = () => page.locator('#plugins tr', { hasText: 'hostile' });

  it('menu.admin: every page opens, with the menu, and the list names the plugin and the call', async () => {
    for (const path of ['/admin/', '/admin/settings', '/admin/plugins']) {
      await page.goto(panel.url + path);
      expect(await page.getByRole('link', { name: 'Plugins' }).first().isVisible()).toBe(true);
    }
    await row().waitFor();
    expect(await row().innerText()).toContain('listener of menu.admin: no response within 0.2 s');
    expect(await row().innerText()).toMatch(/timeouts: \d/);
    await picture(page, 'hanging-menu', { fullPage: true });
  });

  it('order.paid: the order is paid; the failed attempt is shown, and waits for a retry', async () => {
    const order = await panel.get(Orders).create({ user: 'buyer', scene: 'test', name: 'Thing', amount: 100, type: 'gate__a' });
    expect(await panel.get(Settlement).settle(order.number, 'gate', { trade_no: 'T1', money: '1.00' })).toMatchObject({ ok: true });
    const delivery = () =>
      panel.get(Database).repository(EventDelivery).createQueryBuilder('d').where("d.listenerKey LIKE 'hostile:%'").getOne();
    await expect.poll(delivery).toMatchObject({ state: 'pending', attempts: 1, lastError: 'no response within 0.2 s' });
    await page.goto(`${panel.url}/admin/orders`);
    expect(await page.locator('tr', { hasText: order.number }).innerText()).toContain('Paid');
    await page.goto(`${panel.url}/admin/plugin-calls?slug=hostile`);
    const listener = page.locator('tr', { hasText: 'listener of order.paid' });
    await listener.waitFor();
    await picture(page, 'hanging-calls', { fullPage: true });
  });

  it('a route: a page that says which plugin did not respond; soon one that says when to retry', async () => {
    const visitor = await newPage(browser, 'en-US', []);
    const first = await visitor.goto(`${panel.url}/hostile`);
    expect(first!.status()).toBe(504);
    expect(await visitor.locator('main').innerText()).toContain('The plugin hostile did not respond within');
    for (let i = 0; i < 4; i++) await visitor.goto(`${panel.url}/hostile`);
    const refused = await visitor.goto(`${panel.url}/hostile`);
    expect([refused!.status(), Number(refused!.headers()['retry-after']) > 0]).toEqual([503, true]);
    expect(await visitor.locator('main').innerText()).toContain('is paused');
    await picture(visitor, 'hanging-route');
    await visitor.close();
  });

  it('the reseller sees which callbacks are paused, and disables the plugin without curl', async () => {
    for (let i = 0; i < 5; i++) await page.goto(`${panel.url}/admin/plugins`);
    await row().waitFor();
    expect(await row().innerText()).toContain('paused after repeated timeouts: 2');
    await picture(page, 'hanging-paused', { fullPage: true });
    await row().getByRole('link', { name: 'Calls' }).click();
    await page.waitForURL(/plugin-calls\?slug=hostile/);
    const route = page.locator('tr', { hasText: 'route GET /hostile' });
    await route.waitFor();
    expect(await route.innerText()).toContain('Paused');

    await page.goto(`${panel.url}/admin/plugins`);
    await row().getByRole('button', { name: 'Disable' }).click();
    await page.locator('dialog.confirm').getByRole('button').last().click();
    await expect.poll(async () => (await panel.row('hostile'))?.enabled).toBe(false);
    expect(problems).toEqual([]);
  });
});

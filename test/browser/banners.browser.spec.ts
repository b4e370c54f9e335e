import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { Faults } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { ExpirySweep, HostingService } from '../../src/hosting/index.js';
import { Orders, SecondPayment, Settlement } from '../../src/payment/index.js';
import { SafeModeLink } from '../../src/plugin-registry/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, type Language, lookAt, newPage, picture, signInAsAdmin, signInAsUser, SIZES } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const GATEWAY = "svc.svc_register_payment(svc.slug, { name: 'Gate', methods: { a: 'A' }, build: () => 'https://gateway.example/' });";

describe.skipIf(!hasBrowser)('banners', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  const problems = adminInBrowser(
    (opened) => ({ panel, browser, page } = opened),
    async (panel) => {
      writePlugin(panel.dataDir, 'gate', functionPlugin(GATEWAY));
      writePlugin(panel.dataDir, 'listener', functionPlugin("svc.svc_add_action('order.paid', () => {}, 10, { id: 'listener' });"));
      writePlugin(panel.dataDir, 'crashing', functionPlugin("svc.svc_register_route('GET', '/crashing', () => 'here');"));
      for (const slug of ['gate', 'listener', 'crashing']) await panel.enable(slug);
    },
  );

  /** Each banner is complete and in one language, in both languages and sizes. */
  const look = (of: Page, path: string, name: string, expected: Record<string, Record<Language, string>>): Promise<void> =>
    lookAt(of, `${panel.url}${path}`, name, async (language) => {
      for (const [banner, texts] of Object.entries(expected)) {
        const text = await of.locator(`[id^="banner-${banner}"]`).first().innerText();
        expect(text).toContain(texts[language]);
        if (language === 'en') expect(text).not.toMatch(/\p{Script=Han}/u);
      }
    });

  const failedSignIn = (side: 'admin' | 'user', user: string) =>
    panel.fetch(`/${side}/ajax.php`, { method: 'POST', body: new URLSearchParams({ gn: 'login', user, pass: 'not-the-password' }) });
  const order = (owner?: number) =>
    panel.get(Orders).create({
      user: 'buyer',
      ...(owner ? { owner: { account: owner } } : {}),
      scene: 'test',
      name: 'Thing',
      amount: 100,
      type: 'gate__a',
    });

  it('tell the administrator about the password, failed sign-ins, waiting events and duplicate payments', async () => {
    for (let i = 0; i < 3; i += 1) await failedSignIn('admin', 'admin');
    await panel.disable('listener');
    const { number, id } = await order();
    await panel.get(Settlement).settle(number, 'gate', { trade_no: 'T1', money: '1.00' });
    await panel
      .get(Database)
      .repository(SecondPayment)
      .insert({ orderId: id, gateway: 'gate', tradeNumber: 'T2', amount: 100, createdAt: new Date() });
    await look(page, '/admin/', 'banners-admin', {
      'default-password': { en: 'default password', 'zh-CN': '默认密码' },
      'failed-sign-ins': { en: '3 failed sign-ins', 'zh-CN': '3 次' },
      'held-listener': { en: 'events are waiting for listener', 'zh-CN': 'listener' },
      'second-payment': { en: 'was paid twice', 'zh-CN': '重复' },
    });
    await page.locator('#banner-held-listener').getByRole('button', { name: 'Enable plugin' }).click();
    await page.locator('#banner-held-listener').waitFor({ state: 'detached' });
    expect((await panel.row('listener'))?.enabled).toBe(true);
    await page.locator('[id^="banner-second-payment"]').getByRole('button').click();
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.locator('[id^="banner-second-payment"]').waitFor({ state: 'detached' });
    await page.locator('#banner-failed-sign-ins').getByRole('link').click();
    await page.locator('#failed-sign-ins').waitFor();
    await picture(page, 'banners-sessions', { fullPage: true });
    await page.goto(`${panel.url}/admin/`);
    expect(await page.locator('#banner-failed-sign-ins').count()).toBe(0);
  });

  it('tell the owner of a stopped host, and link to the only unpaid order', async () => {
    const host = await panel
      .get(HostingService)
      .provision({ node: 'local', user: 'owner01', password: 'secret-pass-1', expiresOn: '2020-01-31' }, 'admin');
    const { number } = await order(host.id);
    await panel.get(ExpirySweep).run();
    await failedSignIn('user', 'owner01');
    const owner = await newPage(browser, 'en-US', problems);
    await signInAsUser(owner, panel.url);
    await look(owner, '/user/', 'banners-user', {
      'host-paused': { en: 'You have an unpaid order.', 'zh-CN': '您有一笔未支付的订单。' },
      'failed-sign-ins': { en: '1 failed sign-in to your account from 1 network', 'zh-CN': '1 次' },
    });
    expect(await owner.locator('main').innerText()).not.toContain('days left');
    await owner.locator('#banner-host-paused').getByRole('link', { name: 'Pay now' }).click();
    await owner.waitForURL(/\/pay\/order\//);
    expect(await owner.locator('main').innerText()).toContain(number);
    await owner.close();
  });

  it('report a plugin that crashed three times, on every page, until it is tried again', async () => {
    for (let i = 0; i < 3; i += 1) panel.get(Faults).strike('crashing', 'crash', 'listener of menu.admin', new Error(`broken ${i}`));
    await expect.poll(async () => (await panel.row('crashing'))?.status).toBe('quarantined');
    await look(page, '/admin/settings', 'quarantine', {
      'quarantine-crashing': { en: 'failed three times within ten minutes', 'zh-CN': 'crashing' },
    });
    await look(page, '/admin/plugins', 'quarantine-plugins', { 'quarantine-crashing': { en: 'crashing', 'zh-CN': 'crashing' } });
    const row = page.locator('#plugins tr', { hasText: 'crashing' });
    await row.getByText('Auto-disabled', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Retry' }).click();
    await page.locator('#banner-quarantine-crashing').waitFor({ state: 'detached' });
    await row.getByText('Active', { exact: true }).waitFor();
    expect((await panel.fetch('/crashing')).status).toBe(200);
  });

  it('report safe mode, entered by the link of the start message, and how to leave it', async () => {
    const visitor = await newPage(browser, 'en-US', problems);
    await visitor.setViewportSize(SIZES.phone);
    await visitor.goto(panel.url + panel.get(SafeModeLink).path);
    await picture(visitor, 'safe-mode-ask');
    await visitor.getByRole('button', { name: 'Stop all plugins' }).click();
    await visitor.getByText('All plugins of this process were stopped').waitFor();
    await picture(visitor, 'safe-mode-done');
    await visitor.close();
    await look(page, '/admin/plugins', 'safe-mode', { 'safe-mode': { en: 'no plugins are running', 'zh-CN': '安全模式' } });
    await page.locator('#banner-safe-mode').getByRole('button', { name: 'Start plugins' }).click();
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.locator('#banner-safe-mode').waitFor({ state: 'detached' });
    expect((await panel.fetch('/crashing')).status).toBe(200);
  });

  it('report a start with SAFE_MODE=1: no plugin runs, the list says why, enabling is refused, one button starts them all', async () => {
    const other = await TestPanel.start({ SAFE_MODE: '1', DATA_DIR: panel.dataDir, DATABASE_URL: panel.place.databaseUrl });
    const visitor = await newPage(browser, 'en-US', problems);
    try {
      await signInAsAdmin(visitor, other.url);
      await lookAt(visitor, `${other.url}/admin/plugins`, 'safe-mode-start', async (language) => {
        await visitor
          .getByText(language === 'en' ? 'Leave safe mode first' : '请先在插件页退出安全模式')
          .first()
          .waitFor();
        expect(await visitor.locator('#banner-safe-mode').innerText()).toContain(language === 'en' ? 'no plugins are running' : '安全模式');
      });
      const row = visitor.locator('#plugins tr', { hasText: 'crashing' });
      expect(await row.innerText()).toContain('Waiting');
      expect((await other.fetch('/crashing')).status).toBe(404);
      expect((await other.tryEnable('crashing')).success).not.toBe(true);
      await visitor.locator('#banner-safe-mode').getByRole('button', { name: 'Start plugins' }).click();
      await visitor.getByRole('dialog').getByRole('button').last().click();
      await visitor.locator('#banner-safe-mode').waitFor({ state: 'detached' });
      await row.getByText('Active', { exact: true }).waitFor();
      expect((await other.fetch('/crashing')).status).toBe(200);
      expect(problems).toEqual([]);
    } finally {
      await visitor.close();
      await other.close();
    }
  });
});

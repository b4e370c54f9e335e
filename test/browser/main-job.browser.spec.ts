import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startPanel, type Panel } from '../support/start-panel.js';
import { hasBrowser, launchBrowser, newPage, picture, SIZES } from '../support/browser.js';
import { createTestPlace, type TestPlace } from '../support/database.js';

const PHONE = { width: 375, height: 720 };
const BUYER = { username: 'picture01', password: 'a-password-of-my-own' };

describe.skipIf(!hasBrowser)('the main job in a browser', () => {
  let place: TestPlace;
  let panel: Panel;
  let browser: Browser;
  let page: Page;
  let buyer: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    place = await createTestPlace({ CAPTCHA: 'fixed:abcd' });
    panel = await startPanel(place.config);
    browser = await launchBrowser();
    page = await newPage(browser, 'en-US', problems);
    buyer = await newPage(browser, 'zh-CN', problems);
  });
  afterAll(async () => {
    await browser.close();
    await panel.close();
    await place.dispose();
  });

  /** On a phone nothing overflows sideways. */
  async function expectFits(of: Page, path: string): Promise<void> {
    await of.setViewportSize(PHONE);
    await of.goto(panel.url + path);
    const width = await of.evaluate('document.documentElement.scrollWidth');
    expect([path, width]).toEqual([path, PHONE.width]);
    await of.setViewportSize(SIZES.desktop);
  }

  async function signIn(of: Page, side: 'admin' | 'user', user: string, password: string): Promise<void> {
    await of.goto(`${panel.url}/${side}/login`);
    await of.fill('#username', user);
    await of.fill('#password', password);
    await of.fill('#captcha', 'abcd');
    await of.click('form [type=submit]');
  }

  it('reports errors at the login, then signs in', async () => {
    await page.goto(`${panel.url}/admin/login`);
    await page.locator('img[src^="data:image/svg+xml"]').waitFor();
    await picture(page, 'login');
    await page.goto(`${panel.url}/admin/login`);
    await page.fill('#username', 'admin');
    await page.fill('#password', 'svc-panel-admin');
    await page.fill('#captcha', 'zzzz');
    await page.click('form [type=submit]');
    await page
      .getByRole('alert')
      .filter({ hasText: /captcha/i })
      .waitFor();
    await signIn(page, 'admin', 'admin', 'not-the-password');
    await page.getByText('The username or password is wrong.').first().waitFor();
    await signIn(page, 'admin', 'admin', 'svc-panel-admin');
    await page.waitForURL(`${panel.url}/admin/`);
    await page.getByText('default password').first().waitFor();
  });

  it('installs and enables the bundled plugins with clicks', async () => {
    await page.goto(`${panel.url}/admin/plugins`);
    for (const name of ['Sandbox', 'Hosting shop']) {
      const row = page.locator('tr', { hasText: name });
      await row.getByRole('button', { name: 'Install', exact: true }).click();
      // A plugin's permissions are shown before it is installed.
      await page.locator('dialog.confirm').getByRole('button').last().click();
      await row.getByRole('button', { name: 'Enable', exact: true }).click();
      await row.getByRole('button', { name: 'Disable', exact: true }).waitFor();
    }
  });

  it("adds a plan on the plugin's page", async () => {
    await page.goto(`${panel.url}/admin/plugin.php?p=hosting_shop&page=plan`);
    await page.fill('#plan-name', 'Starter');
    await page.fill('#plan-price', '0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter an amount above 0').first().waitFor();
    await page.fill('#plan-price', '9.90');
    await page.fill('#plan-description', 'For a first site');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Starter' }).waitFor();
    await picture(page, 'plugin-page');
  });

  it('saves settings', async () => {
    await page.goto(`${panel.url}/admin/settings?tab=site`);
    await page.fill('[name=name]', 'Sunny Hosting');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved').first().waitFor();
    await page.goto(`${panel.url}/admin/`);
    expect(await page.title()).toContain('Sunny Hosting');
    for (const tab of ['account', 'api']) {
      await page.goto(`${panel.url}/admin/settings?tab=${tab}`);
      await page.locator('.nav-tabs .active').waitFor();
    }
    await page.getByText(`${panel.url}/api/api.php`).waitFor();
  });

  it('renames a payment method, and disables and enables it', async () => {
    const settings = `${panel.url}/admin/settings?tab=payments`;
    const row = page.locator('tr', { has: page.locator('[name=sandbox__test]') });
    for (const enabled of [false, true]) {
      await page.goto(settings);
      await row.locator('[type=checkbox]').setChecked(enabled);
      await row.locator('[data-key=display_name]').fill('沙箱 Try it out');
      await page.locator('form[data-ajax=setpaymethods]').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').first().waitFor();
      await page.goto(settings);
      expect(await row.locator('[type=checkbox]').isChecked()).toBe(enabled);
    }
    expect(await row.locator('[data-key=display_name]').inputValue()).toBe('沙箱 Try it out');
  });

  it('sells a plan: shop, pay page, cashier, result, site', async () => {
    // The shop is linked from the site's home page, in the buyer's language and colours.
    await buyer.goto(`${panel.url}/?lang=zh-CN`);
    await buyer.getByRole('link', { name: '进入商店' }).click();
    await buyer.getByRole('heading', { name: '主机商店' }).waitFor();
    await buyer.getByRole('link', { name: 'English' }).click();
    await buyer.getByRole('heading', { name: 'Hosting shop' }).waitFor();
    await buyer.getByRole('button', { name: 'Light or dark' }).click();
    const chosen = await buyer.locator('html').getAttribute('data-bs-theme');
    // The shop belongs to the panel: its pages show the panel's name, which links home.
    expect(await buyer.title()).toContain('Sunny Hosting');
    await picture(buyer, 'shop');
    await buyer.getByRole('link', { name: 'Sunny Hosting' }).click();
    await buyer.getByRole('link', { name: 'To the shop' }).waitFor();
    expect(await buyer.locator('html').getAttribute('data-bs-theme')).toBe(chosen);
    await buyer.goto(`${panel.url}/shop?lang=zh-CN`);
    await buyer.getByRole('link', { name: '立即购买' }).click();
    await buyer.fill('[name=username]', BUYER.username);
    await buyer.fill('[name=password]', BUYER.password);
    await buyer.getByRole('button', { name: '去付款' }).click();
    await buyer.waitForURL(/\/pay\/order\//);
    await picture(buyer, 'pay');
    await expectFits(buyer, new URL(buyer.url()).pathname + new URL(buyer.url()).search);
    await buyer.locator('[name=type]').first().check({ force: true });
    await buyer.locator('form [type=submit]').first().click();
    await buyer.waitForURL(/\/pay\/sandbox\/checkout/);
    await expectFits(buyer, new URL(buyer.url()).pathname + new URL(buyer.url()).search);
    // A cancelled payment is unpaid, and can still be paid.
    await buyer.getByRole('button', { name: '取消' }).click();
    await buyer.getByRole('heading', { name: '等待支付' }).waitFor();
    expect(await buyer.getByText('完成').count()).toBe(0);
    await buyer.getByRole('link', { name: '换一种支付方式' }).click();
    await buyer.locator('form [type=submit]').first().click();
    await buyer.waitForURL(/\/pay\/sandbox\/checkout/);
    await buyer.getByRole('button', { name: '模拟付款' }).click();
    await buyer.waitForURL(/\/(pay\/order|shop\/status)\//);
    await buyer.getByRole('heading', { name: '支付成功' }).waitFor();
    await expectFits(buyer, new URL(buyer.url()).pathname + new URL(buyer.url()).search);
    await buyer.locator('a[href^="/shop/status/"]').click();
    await buyer.getByRole('link', { name: new RegExp(`${BUYER.username}\\.localhost`) }).waitFor({ timeout: 15_000 });
    await expectFits(buyer, new URL(buyer.url()).pathname);
  });

  it('shows the owner the account', async () => {
    await signIn(buyer, 'user', BUYER.username, BUYER.password);
    await buyer.waitForURL(`${panel.url}/user/`);
    await buyer.getByText(`${BUYER.username}.localhost`).first().waitFor();
    await buyer.goto(`${panel.url}/user/orders`);
    await buyer.locator('tbody').getByText('已支付').waitFor();
    expect(await buyer.locator('tbody').innerText()).toContain('Starter（1 个月）');
    await buyer.goto(`${panel.url}/user/?lang=en`);
    await buyer.getByText('Open the site').waitFor();
    await buyer.goto(`${panel.url}/user/?lang=zh-CN`);
    for (const path of ['/user/', '/user/orders', '/user/sessions', '/user/password']) await expectFits(buyer, path);
  });

  it('shows the administrator what was sold', async () => {
    await page.goto(`${panel.url}/admin/orders`);
    await page.getByText(BUYER.username).first().waitFor();
    await page.goto(`${panel.url}/admin/hosts`);
    await page.getByText(BUYER.username).first().waitFor();
    await page.goto(`${panel.url}/admin/plugin.php?p=hosting_shop&page=sales`);
    await page.getByText('1 month').waitFor();
    await page.goto(`${panel.url}/admin/log`);
    const callback = page.locator('tr', { hasText: /: paid/ });
    await callback.locator('summary').click();
    await callback.getByText('trade_no').waitFor();
    await page.goto(`${panel.url}/admin/`);
    await page.getByText('set up, nothing is waiting').waitFor();
    await page.getByText('Income after refunds: ¥9.90').waitFor();
    await page.getByText('¥9.90 today').waitFor();
    await picture(page, 'dashboard');
  });

  it('fits a phone everywhere on the admin side', async () => {
    for (const path of [
      '/admin/',
      '/admin/hosts',
      '/admin/host-bulk',
      '/admin/host?id=1',
      '/admin/connect-shop',
      '/admin/agents',
      '/admin/scans',
      '/admin/settings?tab=user',
      '/admin/settings?tab=scans',
      '/admin/orders',
      '/admin/plugins',
      '/admin/settings',
      '/admin/settings?tab=account',
      '/admin/settings?tab=api',
      '/admin/settings?tab=payments',
      '/admin/events',
      '/admin/health',
      '/admin/my-access',
      '/admin/repairs',
      '/admin/news',
      '/admin/jobs',
      '/admin/sessions',
      '/admin/log',
      '/admin/plugin.php?p=hosting_shop&page=plan',
      '/admin/plugin.php?p=hosting_shop&page=plans',
      '/admin/plugin.php?p=hosting_shop&page=sales',
      '/shop',
      '/shop/order/1',
      '/',
    ]) {
      await expectFits(page, path);
    }
  });

  it('changes the language and keeps it', async () => {
    await page.goto(`${panel.url}/admin/orders?lang=zh-CN`);
    await page.getByText('订单').first().waitFor();
    await page.goto(`${panel.url}/admin/`);
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  });

  it('did all of this without an error or a policy violation', () => {
    expect(problems).toEqual([]);
  });
});

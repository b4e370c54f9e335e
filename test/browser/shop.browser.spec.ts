/** The shop in a browser: plans as the reseller sets them up, the storefront and the cart of one plan, in both languages and sizes. */
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { Database } from '../../src/database/index.js';
import { Order, PaymentTransaction } from '../../src/payment/index.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, launchBrowser, lookAt, newPage, signInAsAdmin } from '../support/browser.js';
import { TestPanel } from '../support/panel.js';
import { STARTER_PLAN } from '../support/shop.js';

describe.skipIf(!hasBrowser)('the shop in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let buyer: Page;
  const problems: string[] = [];
  const plan = (): string => `${panel.url}/admin/plugin.php?p=hosting_shop&page=plan`;

  beforeAll(async () => {
    panel = await TestPanel.start({ RATE_LIMIT: 'off' });
    for (const slug of ['sandbox', 'hosting_shop']) await panel.enable(slug);
    browser = await launchBrowser();
    admin = await newPage(browser, 'en-US', problems);
    await signInAsAdmin(admin, panel.url);
    // A rejected order returns 422 with its form.
    buyer = await newPage(browser, 'en-US', problems, /status of 422/);
  });
  afterAll(async () => {
    await browser?.close();
    await panel?.close();
    expect(problems).toEqual([]);
  });

  it('is filled by the reseller: a plan with prices, stock and options', async () => {
    await admin.goto(plan());
    await admin.fill('#plan-name', 'Business');
    await admin.fill('#plan-category', 'For companies');
    await admin.fill('#plan-price', '19.90');
    await admin.fill('#plan-price-year', '199');
    await admin.fill('#plan-setup-fee', '10');
    await admin.fill('#plan-stock', '3');
    await admin.fill('#plan-trial-days', '7');
    await admin.getByRole('button', { name: 'Save' }).click();
    const row = admin.getByRole('row', { name: /Business/ });
    await row.getByText('0 of 3 used').waitFor();
    await row.getByRole('link', { name: 'Edit' }).click();
    await admin.fill('#extra-web-mb-unit', '1024');
    await admin.fill('#extra-web-mb-most', '5');
    await admin.fill('#extra-web-mb-price', '2');
    await admin.fill('#extra-web-mb-price-year', '20');
    await admin
      .locator('form', { has: admin.locator('#extra-web-mb-unit') })
      .getByRole('button', { name: 'Save' })
      .click();
    await admin
      .locator('form', { has: admin.locator('#extra-web-mb-unit') })
      .getByText('On sale')
      .waitFor();
    await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, category: 'For one site', sort: '60' });
    await panel.admin('p_hosting_shop_plan_save', { ...STARTER_PLAN, name: 'Gone', category: 'For one site', stock: '0', sort: '61' });
    await lookAt(admin, `${plan()}s`, 'shop-plans', async () => {
      await admin.getByRole('row', { name: /Business/ }).waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await lookAt(admin, `${plan()}&id=1`, 'shop-plan', async () => {
      await admin.locator('#extra-web-mb-unit').waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
  });

  it('shows plans by category, and the price of a cart as it is filled', async () => {
    await lookAt(buyer, `${panel.url}/shop`, 'shop-storefront', async () => {
      await buyer.getByRole('heading', { name: 'For companies' }).waitFor();
      expect(await seriousFindings(buyer)).toEqual([]);
    });
    await lookAt(buyer, `${panel.url}/shop/order/1`, 'shop-cart', async () => {
      await buyer.getByText('¥29.90').waitFor();
      expect(await seriousFindings(buyer)).toEqual([]);
    });
    await buyer.fill('[name=extra_web_mb]', '2');
    await buyer.locator('[name=extra_web_mb]').blur();
    await buyer.getByText('¥33.90').waitFor();
    await buyer.selectOption('[name=period]', 'year');
    await buyer.getByText('¥249.00').waitFor();
    // A trial requires an email address, and is free.
    await buyer.selectOption('[name=period]', 'trial');
    await buyer.locator('[name=email]').waitFor();
    await buyer.getByRole('button', { name: 'Set up my site' }).waitFor();
    await buyer.selectOption('[name=period]', 'month');
    await buyer.locator('[name=email]').waitFor({ state: 'detached' });
    await buyer.getByText('¥33.90').waitFor();
  });

  it('orders once, however its buyer returns, and opens free plans immediately', async () => {
    const fill = async (user: string): Promise<void> => {
      await buyer.fill('[name=username]', user);
      await buyer.fill('[name=password]', 'a-password-of-my-own');
    };
    await fill('cart-buyer');
    await buyer.getByRole('button', { name: 'Continue to payment' }).click();
    await buyer.waitForURL(/\/pay\/order\//);
    const first = buyer.url();
    await buyer.goto(`${panel.url}/shop/order/1?period=month`);
    await buyer.fill('[name=extra_web_mb]', '2');
    await buyer.locator('[name=extra_web_mb]').blur();
    await buyer.getByText('¥33.90').waitFor();
    await fill('cart-buyer');
    await buyer.getByRole('button', { name: 'Continue to payment' }).click();
    await buyer.waitForURL(first);
    await buyer.goto(`${panel.url}/shop/order/1?period=trial`);
    await fill('trial-buyer');
    await buyer.fill('[name=email]', 'buyer@example.com');
    await buyer.getByRole('button', { name: 'Set up my site' }).click();
    await buyer.waitForURL(/\/shop\/status\//);
    await buyer.getByRole('link', { name: /trial-buyer\.localhost/ }).waitFor();
    await buyer.goto(`${panel.url}/shop/order/1?period=trial`);
    await fill('trial-again');
    await buyer.fill('[name=email]', 'buyer+2@example.com');
    await buyer.getByRole('button', { name: 'Set up my site' }).click();
    await buyer.getByText('You have already used your trial.').waitFor();
    expect(await buyer.locator('[name=username]').inputValue()).toBe('trial-again');
  });

  it('charges once, whichever way its buyer goes back', async () => {
    const orders = (): Promise<number> => panel.get(Database).repository(Order).count();
    await buyer.goto(`${panel.url}/shop/order/2?period=month`);
    await buyer.fill('[name=username]', 'back-buyer');
    await buyer.fill('[name=password]', 'a-password-of-my-own');
    await buyer.getByRole('button', { name: 'Continue to payment' }).click();
    await buyer.waitForURL(/\/pay\/order\//);
    const made = await orders();
    const toCashier = async (): Promise<void> => {
      await buyer.locator('[name=type]').first().check({ force: true });
      await buyer.getByRole('button', { name: /^Pay/ }).click();
      await buyer.waitForURL(/\/pay\/sandbox\/checkout/);
    };
    // Cancelled at the cashier: the order is open, and says how to continue.
    await toCashier();
    await buyer.locator('[name=decision][value=cancel]').click();
    await buyer.getByRole('heading', { name: 'Waiting for your payment' }).waitFor();
    await buyer.getByRole('link', { name: 'Pay another way' }).click();
    await toCashier();
    for (const _time of ['first', 'again']) {
      await buyer.locator('[name=decision][value=pay]').click();
      await buyer.getByRole('heading', { name: 'Payment received' }).waitFor();
      await buyer.goBack();
      await buyer.locator('[name=decision][value=pay]').waitFor();
    }
    // Back at the page where a payment method was chosen, there is nothing to choose.
    await buyer.goBack();
    await buyer.getByRole('heading', { name: 'Payment received' }).waitFor();
    expect(await buyer.locator('[name=type]').count()).toBe(0);
    expect(await orders()).toBe(made);
    expect(await panel.get(Database).repository(PaymentTransaction).count()).toBe(1);
  });

  it('updates the order page without a reload, whatever happens to a response', async () => {
    const visitor = new DemoVisitor(panel.url);
    const order = await visitor.json('POST', '/shop/api/create_order', {
      plan_id: '2',
      period: 'month',
      username: 'patient-buyer',
      password: 'a-password-of-my-own',
    });
    const address = new URL(String(order.status_url), panel.url).href;
    const page = await newPage(browser, 'en-US', problems, /Failed to load resource/);
    await lookAt(page, address, 'shop-status-unpaid', async () => expect(await seriousFindings(page)).toEqual([]));
    await page.clock.install();
    await page.goto(address);
    await page.evaluate("document.body.dataset.document = 'first'");
    await page.getByRole('link', { name: 'Refresh' }).focus();
    let asked = 0;
    let answer: (route: Route) => Promise<void> = (route) => route.continue();
    await page.route(address, (route) => {
      asked += 1;
      return answer(route);
    });
    /** Waits until the page has polled this often. */
    const untilAsked = (times: number) =>
      expect
        .poll(
          async () => {
            await page.clock.fastForward(asked < times ? 5_000 : 0);
            return asked;
          },
          { timeout: 30_000 },
        )
        .toBe(times);
    answer = (route) => route.abort();
    await untilAsked(1);
    // No response at all.
    answer = () => Promise.resolve();
    await untilAsked(2);
    answer = (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<main>Bad gateway</main>' });
    await untilAsked(3);
    answer = (route) => route.continue();
    await untilAsked(4);

    const hide = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await hide(true);
    await page.clock.fastForward(600_000);
    expect([await page.evaluate('document.hidden'), asked]).toEqual([true, 4]);
    await hide(false);
    await expect.poll(() => asked).toBe(5);
    await page.evaluate("void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await expect.poll(() => asked).toBe(6);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Refresh');
    expect(await page.locator('main').innerText()).toContain('Waiting for your payment.');

    const form = await visitor.form(await visitor.redirect('POST', String(order.pay_url), { type: 'sandbox__test' }));
    await visitor.redirect('POST', '/pay/sandbox/checkout', { ...form, decision: 'pay' });
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(2_000);
          return page.locator('main').innerText();
        },
        { timeout: 30_000 },
      )
      .toContain('Your site is ready.');
    await page.getByRole('link', { name: /patient-buyer\.localhost/ }).waitFor();
    await page.locator('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: /^(?:Refresh|Continue to payment)$/ }).count()).toBe(0);
    expect(await page.evaluate('[document.body.dataset.document, document.activeElement.localName]')).toEqual(['first', 'main']);
    const askedThen = asked;
    await page.clock.fastForward(600_000);
    await page.evaluate("void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    expect(await page.locator('main[data-look-again]').count()).toBe(0);
    expect(asked).toBe(askedThen);
    await page.context().close();
  });

  it('shows on the order page that it was deleted', async () => {
    const visitor = new DemoVisitor(panel.url);
    const order = await visitor.json('POST', '/shop/api/create_order', {
      plan_id: '2',
      period: 'month',
      username: 'forgetful-buyer',
      password: 'a-password-of-my-own',
    });
    const address = new URL(String(order.status_url), panel.url).href;
    const page = await newPage(browser, 'en-US', problems, /Failed to load resource/);
    await page.clock.install();
    await page.goto(address);
    let asked = 0;
    await page.route(address, (route) => {
      asked += 1;
      return route.fulfill({ status: 410, contentType: 'text/html', body: '<main>No such order.</main>' });
    });
    await page.clock.fastForward(5_000);
    await page.getByText('No such order.').waitFor();
    const askedThen = asked;
    await page.clock.fastForward(600_000);
    expect(asked).toBe(askedThen);
    await page.context().close();
  });

  it('lists what was sold, and the resulting hosts', async () => {
    await lookAt(admin, `${panel.url}/admin/plugin.php?p=hosting_shop&page=sales`, 'shop-sales', async () => {
      await admin.getByText('cart-buyer').first().waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
    await admin
      .getByRole('link', { name: /^\d{20}$/ })
      .first()
      .click();
    await admin.waitForURL(/\/admin\/order\?ddh=/);
    await lookAt(admin, `${panel.url}/admin/plugin.php?p=hosting_shop&page=assets`, 'shop-assets', async () => {
      await admin.getByText('trial-buyer').first().waitFor();
      expect(await seriousFindings(admin)).toEqual([]);
    });
  });
});

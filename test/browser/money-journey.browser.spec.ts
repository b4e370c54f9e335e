/**
 * A customer's money from the first order on: he buys, renews an expired host, upgrades, gets a partial refund, tops up and pays with
 * credit; by clicks and forms only.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { legacyDay } from '../../src/common/index.js';
import { Database } from '../../src/database/index.js';
import { HostingAccount } from '../../src/hosting/index.js';
import { JobRegistry } from '../../src/jobs/index.js';
import { seriousFindings } from '../support/axe.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { hasBrowser, lookAt, newPage } from '../support/browser.js';
import { FAKE_MERCHANT, FakeEpay } from '../support/fake-epay.js';
import type { TestPanel } from '../support/panel.js';
import { runJob } from '../support/run-job.js';

const PASSWORD = 'a-password-of-my-own';
const HOST = 'journey1';
const DAY_MS = 86_400_000;

describe.skipIf(!hasBrowser)('the money of a customer in a browser', () => {
  let panel: TestPanel;
  let browser: Browser;
  let admin: Page;
  let buyer: Page;
  let epay: FakeEpay;
  const problems = adminInBrowser((opened) => ({ panel, browser, page: admin } = opened), undefined, {
    OUTBOUND_ALLOW: '127.0.0.1/32',
    RATE_LIMIT: 'off',
  });
  beforeAll(async () => {
    epay = await FakeEpay.start();
    for (const slug of ['accounts', 'hosting_shop', 'epay', 'balance']) await panel.enable(slug);
    buyer = await newPage(browser, 'en-US', problems);
  });
  afterAll(async () => {
    await epay?.close();
    expect(problems).toEqual([]);
  });
  const looked = (page: Page, address: string, name: string) =>
    lookAt(page, address, name, async () => expect(await seriousFindings(page)).toEqual([]));

  /** At the platform's cashier and back. @param onwards the label of the link that continues @returns number of the order */
  async function payByEpay(onwards = 'View the order'): Promise<string> {
    await buyer.waitForURL(/\/pay\/order\//);
    const number = /\/pay\/order\/(\d+)/.exec(buyer.url())![1]!;
    await buyer.getByText('Alipay').first().click();
    await buyer.getByRole('button', { name: /^Pay/ }).click();
    await buyer.getByText('cashier').waitFor();
    const { answer, back } = await epay.pay(number);
    expect(answer).toBe('success');
    await buyer.goto(back);
    await buyer.getByRole('heading', { name: 'Payment received' }).waitFor();
    await buyer.getByRole('link', { name: onwards }).click();
    return number;
  }
  async function openHost(button: string): Promise<void> {
    await buyer.goto(`${panel.url}/account`);
    await buyer.getByRole('button', { name: button, exact: true }).first().click();
  }

  it('the reseller sets up the platform and two plans', async () => {
    await admin.goto(`${panel.url}/admin/settings?tab=epay`);
    await admin.fill('#gateway-apiurl', epay.url);
    await admin.fill('#gateway-pid', FAKE_MERCHANT.pid);
    await admin.fill('#gateway-key', FAKE_MERCHANT.key);
    await admin.getByRole('button', { name: 'Save', exact: true }).click();
    await admin
      .getByText(/^Saved\./)
      .first()
      .waitFor();
    for (const [name, price, mb] of [
      ['Small', '10', '100'],
      ['Large', '30', '500'],
    ] as const) {
      await admin.goto(`${panel.url}/admin/plugin.php?p=hosting_shop&page=plan`);
      await admin.fill('#plan-name', name);
      await admin.fill('#plan-price', price);
      await admin.fill('#plan-web-mb', mb);
      await admin.getByRole('button', { name: 'Save' }).click();
      await admin.getByRole('row', { name: new RegExp(name) }).waitFor();
    }
  });

  it('he registers, buys with epay, and is led to his purchase', async () => {
    await buyer.goto(`${panel.url}/account/register`);
    await buyer.fill('[name=username]', 'traveller');
    await buyer.fill('[name=password]', PASSWORD);
    await buyer.fill('[name=password2]', PASSWORD);
    await buyer.getByRole('button', { name: 'Register' }).click();
    await buyer.waitForURL(/\/account$/);
    await buyer.goto(`${panel.url}/shop`);
    await buyer.locator('a[href^="/shop/order/"]').first().click();
    await buyer.fill('[name=username]', HOST);
    await buyer.fill('[name=password]', PASSWORD);
    await buyer.getByRole('button', { name: 'Continue to payment' }).click();
    await payByEpay();
    await buyer.waitForURL(/\/shop\/status\//);
    await buyer.getByRole('link', { name: new RegExp(`${HOST}\\.`) }).waitFor();
    await looked(buyer, buyer.url(), 'money-bought');
    await buyer.getByRole('link', { name: 'My hosts' }).first().click();
    await buyer.getByText(HOST).first().waitFor();
  });

  it('he renews it after expiry, and it is resumed', async () => {
    const hosts = panel.get(Database).repository(HostingAccount);
    const day = (n: number) => legacyDay(new Date(Date.now() + n * DAY_MS), 'Asia/Shanghai');
    await hosts.update({ username: HOST }, { expiresOn: day(-5), createdAt: new Date(Date.now() - 60 * DAY_MS) });
    await runJob(panel.get(JobRegistry), 'account-expiry');
    expect((await hosts.findOneByOrFail({ username: HOST })).state).toBe('paused');
    await looked(buyer, `${panel.url}/account`, 'money-ended');
    await openHost('Renew');
    await buyer.getByRole('button', { name: 'Order and pay' }).click();
    await payByEpay();
    await expect.poll(async () => (await hosts.findOneByOrFail({ username: HOST })).state, { timeout: 20_000 }).toBe('active');
  });

  it('he upgrades, and the reseller refunds a part, of which he is notified', async () => {
    await openHost('Change plan');
    await buyer.getByText('Small → Large').waitFor();
    await looked(buyer, buyer.url(), 'money-upgrade');
    await buyer.getByRole('button', { name: 'Order and pay' }).first().click();
    const number = await payByEpay();
    await expect
      .poll(async () => (await panel.get(Database).repository(HostingAccount).findOneByOrFail({ username: HOST })).webQuotaMb, {
        timeout: 20_000,
      })
      .toBe(500);
    await admin.goto(`${panel.url}/admin/order?ddh=${number}`);
    await admin.getByRole('button', { name: 'Refund' }).first().click();
    await admin.fill('#refund-amount', '3');
    await admin.fill('#refund-reason', 'It took a while');
    await admin.locator('#order-refund').getByRole('button', { name: 'Refund' }).click();
    await admin
      .locator('.badge', { hasText: /refunded|done/i })
      .first()
      .waitFor();
    await expect.poll(() => epay.orders.get(number)!.refunded, { timeout: 20_000 }).toEqual(['3.00']);
    await buyer.goto(`${panel.url}/account/notices`);
    await buyer.getByText(`Order ${number} was refunded`).first().waitFor();
    await looked(buyer, `${panel.url}/account/notices`, 'money-told');
  });

  it('he tops up, and pays for his next host with credit', async () => {
    await buyer.goto(`${panel.url}/balance`);
    await buyer.fill('#amount', '50');
    await buyer.getByRole('button', { name: 'Top up' }).click();
    await payByEpay('View your credit');
    await buyer.waitForURL(/\/balance$/);
    await buyer.getByText('¥50.00').waitFor();
    await looked(buyer, `${panel.url}/balance`, 'money-credit');
    await buyer.goto(`${panel.url}/shop`);
    await buyer.locator('a[href^="/shop/order/"]').first().click();
    await buyer.fill('[name=username]', 'journey2');
    await buyer.fill('[name=password]', PASSWORD);
    await buyer.getByRole('button', { name: 'Continue to payment' }).click();
    await buyer.waitForURL(/\/pay\/order\//);
    await buyer
      .getByText(/Credit|Balance/)
      .first()
      .click();
    await buyer.getByRole('button', { name: /^Pay/ }).click();
    await buyer.getByRole('button', { name: 'Pay now' }).click();
    await buyer.getByRole('heading', { name: 'Payment received' }).waitFor();
    await buyer.goto(`${panel.url}/balance`);
    await buyer.getByText('¥40.00').waitFor();
    await looked(buyer, `${panel.url}/account/orders`, 'money-orders');
  });
});

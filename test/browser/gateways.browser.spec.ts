/** Settings of the bundled gateways, and a payment through one, as people see them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { payPagePath } from '../../src/payment/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, lookAt, newPage, picture } from '../support/browser.js';
import { FAKE_MERCHANT, FakeEpay } from '../support/fake-epay.js';
import { newOrder } from '../support/gateway-orders.js';
import type { TestPanel } from '../support/panel.js';

const GATEWAYS = ['epay', 'alipay', 'wechatpay', 'stripe'];

describe.skipIf(!hasBrowser)('gateways', () => {
  let panel: TestPanel;
  let browser: Browser;
  let page: Page;
  let epay: FakeEpay;
  const problems = adminInBrowser((opened) => ({ panel, browser, page } = opened), undefined, { OUTBOUND_ALLOW: '127.0.0.1/32' });
  beforeAll(async () => {
    epay = await FakeEpay.start();
    for (const slug of GATEWAYS) await panel.enable(slug);
  });
  afterAll(() => epay?.close());

  it('are set up, tested and offered', async () => {
    await page.goto(`${panel.url}/admin/settings?tab=epay`);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.is-invalid').first().waitFor();
    await picture(page, 'gateway-epay-missing-en', { fullPage: true });
    await page.fill('#gateway-apiurl', epay.url);
    await page.fill('#gateway-pid', '1009');
    await page.fill('#gateway-key', FAKE_MERCHANT.key);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.getByRole('button', { name: 'Test the settings' }).click();
    await page.getByText('Check the merchant ID').first().waitFor();
    await picture(page, 'gateway-epay-wrong-en', { fullPage: true });
    await page.fill('#gateway-pid', FAKE_MERCHANT.pid);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').first().waitFor();
    await page.goto(`${panel.url}/admin/settings?tab=payments`);
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'gateways-payments-en', { fullPage: true });
    await page.getByRole('button', { name: /Test .*Epay/ }).click();
    await page.getByText('The settings are right').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('take a payment', async () => {
    const order = await newOrder(panel, 1_050, 'A plan');
    const buyer = await newPage(browser, 'en-US', problems);
    await buyer.goto(`${panel.url}${payPagePath(order)}`);
    await buyer.getByText('Alipay').first().click();
    await buyer.getByRole('button', { name: /^Pay/ }).click();
    await buyer.getByText('cashier').waitFor();
    const { back } = await epay.pay(order.number);
    await buyer.goto(back);
    await buyer
      .getByText(/paid|Paid|received/)
      .first()
      .waitFor();
    await picture(buyer, 'gateway-epay-paid-en');
    await buyer.close();
  });

  it.each(GATEWAYS)('%s has its settings in both languages and sizes', async (slug) => {
    await lookAt(page, `${panel.url}/admin/settings?tab=${slug}`, `gateway-${slug}`, async () => {
      expect(await seriousFindings(page)).toEqual([]);
    });
  });
});

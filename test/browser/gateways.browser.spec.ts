/** Settings of the bundled gateways, and a payment through one, as people see them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { payPagePath } from '../../src/payment/index.js';
import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, lookAt, newPage, picture } from '../support/browser.js';
import { FAKE_MERCHANT, FakeEpay } from '../support/fake-epay.js';
import { FakeWechat, WECHAT_MERCHANT } from '../support/fake-wechat.js';
import { choose, newOrder } from '../support/gateway-orders.js';
import type { TestPanel } from '../support/panel.js';

const GATEWAYS = ['epay', 'alipay', 'wechatpay', 'stripe', 'manual'];

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
    await page.fill('#gateway-apiurl', 'http://127.0.0.1:9');
    await page.fill('#gateway-pid', '1009');
    await page.fill('#gateway-key', FAKE_MERCHANT.key);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/^Saved\./)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Test settings' }).click();
    await page.getByText('this server can reach the internet, and test again').first().waitFor();
    await picture(page, 'gateway-epay-unreachable-en', { fullPage: true });
    await page.reload();
    await page.fill('#gateway-apiurl', epay.url);
    await page.fill('#gateway-key', FAKE_MERCHANT.key);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/^Saved\./)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Test settings' }).click();
    await page.getByText('Check the merchant ID').first().waitFor();
    await picture(page, 'gateway-epay-wrong-en', { fullPage: true });
    await page.fill('#gateway-pid', FAKE_MERCHANT.pid);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/^Saved\./)
      .first()
      .waitFor();
    await page.goto(`${panel.url}/admin/settings?tab=payments`);
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'gateways-payments-en', { fullPage: true });
    await page.getByRole('button', { name: /Test .*Epay/ }).click();
    await page.getByText('The settings are correct').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('say so when they do not support the currency, which is chosen before the first order', async () => {
    const choose = async (code: string): Promise<void> => {
      await page.goto(`${panel.url}/admin/settings?tab=payments`);
      await page.selectOption('#currency', code);
      await page.locator('form[data-ajax="sethb"]').getByRole('button', { name: 'Save' }).click();
      await Promise.all([page.waitForEvent('load'), page.locator('dialog.confirm').getByRole('button').last().click()]);
    };
    await choose('EUR');
    expect(await page.locator('#currency').inputValue()).toBe('EUR');
    expect(await page.getByText("Does not support this installation's currency").count()).toBe(3);
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'currency-eur-en', { fullPage: true });
    await choose('CNY');
    expect(problems).toEqual([]);
  });

  it('accept a payment', async () => {
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

  it('open WeChat’s own window inside WeChat, and return to the order', async () => {
    const wechat = await FakeWechat.start();
    try {
      await panel.admin('p_wechatpay_save', { ...WECHAT_MERCHANT, api: wechat.url, app_secret: 'secret-of-app' });
      const order = await newOrder(panel);
      const { searchParams } = new URL((await choose(panel, order, 'wechatpay__jsapi')).headers.get('location')!);
      const buyer = await newPage(browser, 'en-US', problems);
      const asked: unknown[] = [];
      await buyer.exposeFunction('ask', (name: string, request: { package: string }) => void asked.push(name, request.package));
      await buyer.goto(`${panel.url}/pay/wechatpay/jsapi?${new URLSearchParams({ state: searchParams.get('state')!, code: 'code-1' })}`);
      // Provided by WeChat's browser, after the page has loaded.
      await buyer.evaluate(`window.WeixinJSBridge = { invoke: (name, request, done) => void ask(name, request).then(done) };
        document.dispatchEvent(new Event('WeixinJSBridgeReady'))`);
      await buyer.waitForURL(/done=1/);
      expect(asked).toEqual(['getBrandWCPayRequest', `prepay_id=wx${order.number}`]);
      await buyer.close();
    } finally {
      await wechat.close();
    }
    expect(problems).toEqual([]);
  });

  it('are not required: a transfer is proven, reviewed, rejected, proven again and confirmed', async () => {
    await page.goto(`${panel.url}/admin/settings?tab=manual`);
    for (const [field, value] of Object.entries({
      holder: 'Anna Shop Ltd.',
      bank: 'First Bank',
      account: '6222 0000 1111 2222',
      text: 'We look at our account twice a day.',
    }))
      await page.fill(`#gateway-${field}`, value);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/^Saved\./)
      .first()
      .waitFor();

    const order = await newOrder(panel, 9_900, 'Hosting, a year');
    const buyer = await newPage(browser, 'en-US', problems, /422/);
    await buyer.goto(`${panel.url}${payPagePath(order)}`);
    await buyer.getByText('Bank transfer').first().click();
    await buyer.getByRole('button', { name: /^Pay/ }).click();
    await buyer.getByText('6222 0000 1111 2222').waitFor();
    expect(await seriousFindings(buyer)).toEqual([]);
    const address = buyer.url();
    await lookAt(buyer, address, 'transfer', async () => expect(await seriousFindings(buyer)).toEqual([]));
    await buyer.getByRole('button', { name: 'I have transferred' }).click();
    await buyer.getByRole('alert').filter({ hasText: 'Choose a file or write a note' }).waitFor();
    expect(await buyer.getAttribute('#proof', 'aria-invalid')).toBe('true');
    const proof = { name: 'proof.png', mimeType: 'image/png', buffer: await buyer.screenshot() };
    await buyer.setInputFiles('#proof', proof);
    await buyer.getByRole('button', { name: 'I have transferred' }).click();
    await buyer.getByText('We have received your proof').first().waitFor();
    await picture(buyer, 'transfer-waiting-en', { fullPage: true });
    // Light and dark are the buyer's choice, made on any page of the panel, whatever the system uses.
    const paper = () => buyer.evaluate<string>("getComputedStyle(document.querySelector('main')).backgroundColor");
    for (const [system, chosen, colour] of [
      ['light', 'dark', 'rgb(26, 33, 45)'],
      ['dark', 'light', 'rgb(255, 255, 255)'],
    ] as const) {
      await buyer.emulateMedia({ colorScheme: system });
      await buyer.evaluate(`localStorage.setItem('svc-theme', '${chosen}')`);
      await buyer.goto(address);
      await expect.poll(paper).toBe(colour);
      expect(await seriousFindings(buyer)).toEqual([]);
      await picture(buyer, `transfer-waiting-${chosen}`);
    }
    await buyer.evaluate("localStorage.removeItem('svc-theme')");
    await buyer.emulateMedia({ colorScheme: 'light' });

    await page.goto(`${panel.url}/admin/`);
    await page.getByRole('link', { name: 'Review' }).click();
    await lookAt(page, `${panel.url}/admin/plugin.php?p=manual&page=proofs`, 'transfers', async () =>
      expect(await seriousFindings(page)).toEqual([]),
    );
    await page.getByRole('link', { name: order.number, exact: true }).click();
    await page.getByRole('img', { name: 'Proof sent by the buyer' }).waitFor();
    const review = page.url();
    await lookAt(page, review, 'transfer-review', async () => expect(await seriousFindings(page)).toEqual([]));
    await page.fill('#reject-reason', 'Only ¥90 arrived.');
    await page.getByRole('button', { name: 'Reject proof' }).click();
    await page.waitForURL(/page=proofs/);
    await buyer.goto(address);
    await buyer.getByText('Only ¥90 arrived.').waitFor();
    await picture(buyer, 'transfer-rejected-en', { fullPage: true });
    await buyer.setInputFiles('#proof', proof);
    await buyer.getByRole('button', { name: 'I have transferred' }).click();
    await buyer.getByText('We have received your proof').first().waitFor();

    await page.goto(`${panel.url}/admin/plugin.php?p=manual&page=proofs&proofs.state=waiting`);
    await page.getByRole('link', { name: order.number, exact: true }).click();
    await page.getByRole('button', { name: /^Confirm .+ received$/ }).click();
    await page.getByRole('dialog').waitFor();
    await picture(page, 'transfer-confirm-en');
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.waitForURL(/page=proofs/);
    await buyer.goto(address);
    await buyer.getByRole('heading', { name: 'Payment received' }).waitFor();
    await picture(buyer, 'transfer-paid-en');
    await buyer.close();
    expect(problems).toEqual([]);
  }, 180_000);

  it.each(GATEWAYS)('%s has settings in both languages and sizes', async (slug) => {
    await lookAt(page, `${panel.url}/admin/settings?tab=${slug}`, `gateway-${slug}`, async () => {
      expect(await seriousFindings(page)).toEqual([]);
    });
  });
});

/** The messages on each bundled gateway's settings page for a wrong key, number or address, in both languages. */
import { generateKeyPairSync } from 'node:crypto';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { adminInBrowser } from '../support/admin-in-browser.js';
import { seriousFindings } from '../support/axe.js';
import { hasBrowser, lookAt } from '../support/browser.js';
import { ALIPAY_FIXTURES, ALIPAY_PUBLIC, APP_ID, FakeAlipay, SELLER_ID } from '../support/fake-alipay.js';
import { FAKE_MERCHANT, FakeEpay } from '../support/fake-epay.js';
import { FakeStripe, STRIPE_KEYS } from '../support/fake-stripe.js';
import { FakeWechat, WECHAT_MERCHANT } from '../support/fake-wechat.js';
import type { TestPanel } from '../support/panel.js';

type Fields = Record<string, string>;
type Slug = 'epay' | 'alipay' | 'wechatpay' | 'stripe';
/** The invalid values, and their messages in English and Chinese. */
type Wrong = readonly [fields: Fields, english: RegExp, chinese: RegExp];

const NOBODYS = 'http://127.0.0.1:1';
const OTHER = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const RSA = { sign_type: 'RSA', private_key: FAKE_MERCHANT.privateKey, public_key: FAKE_MERCHANT.publicKey };
const AWAY: readonly [RegExp, RegExp] = [/this server can reach the internet, and test again/, /无法连接/];

const WRONG: Readonly<Record<Slug, readonly Wrong[]>> = {
  epay: [
    [{ key: 'a-wrong-key' }, /refused the merchant key: .+Copy it again/, /拒绝了商户密钥：.+重新复制/],
    [{ pid: '1009' }, /does not recognise this merchant: .+Check the merchant ID/, /不认识此商户：.+请检查商户 ID/],
    [{ ...RSA, private_key: OTHER.privateKey }, /could not verify the signature: .+private key matches/, /无法验证签名：.+商户私钥/],
    [{ ...RSA, public_key: OTHER.publicKey }, /could not be verified with the platform public key/, /无法用所填平台公钥验证/],
    [{ apiurl: NOBODYS }, ...AWAY],
  ],
  alipay: [
    [{ private_key: OTHER.privateKey }, /could not verify the signature: .+Check that the private key/, /无法验证签名：.+应用私钥/],
    [
      { public_key: OTHER.publicKey },
      /could not be verified with the Alipay public key.+Copy it again/,
      /无法用所填支付宝公钥验证.+重新复制/,
    ],
    [{ app_id: '2021000000000009' }, /does not recognise this application: .+Check the APPID/, /不认识此应用：.+请检查 APPID/],
    [{ gateway: `${NOBODYS}/gateway.do` }, ...AWAY],
  ],
  wechatpay: [
    [{ apiv3_key: 'f'.repeat(32) }, /The APIv3 key is incorrect.+Set the key again/, /APIv3 密钥不正确.+重新设置/],
    [{ private_key: OTHER.privateKey }, /could not verify the signature: .+private key, serial number/, /无法验证签名：.+商户私钥/],
    [{ public_key: OTHER.publicKey }, /could not be verified with the public key\. Check/, /无法用所填公钥验证。请检查/],
    [{ mchid: '1900000009' }, /did not accept this merchant: .+Check the merchant ID/, /不接受此商户：.+请检查商户号/],
    [{ api: NOBODYS }, ...AWAY],
  ],
  stripe: [
    [{ secret_key: 'sk_live_another' }, /did not accept this key: .+Copy it again/, /不接受此密钥：.+重新复制/],
    [{ api: NOBODYS }, ...AWAY],
  ],
};

describe.skipIf(!hasBrowser)('the test of a gateway', () => {
  let panel: TestPanel;
  let page: Page;
  let right: Record<Slug, Fields>;
  const fakes: { close(): Promise<void> }[] = [];
  const problems = adminInBrowser((opened) => ({ panel, page } = opened), undefined, {
    OUTBOUND_ALLOW: '127.0.0.1/32',
    RATE_LIMIT: 'off',
  });
  beforeAll(async () => {
    const epay = await FakeEpay.start();
    const alipay = await FakeAlipay.start();
    const wechat = await FakeWechat.start();
    const stripe = await FakeStripe.start();
    fakes.push(epay, alipay, wechat, stripe);
    stripe.webhooks = [{ url: `${panel.url}/pay/stripe/notify`, status: 'enabled', enabled_events: ['checkout.session.completed'] }];
    const keys = { mode: 'key', private_key: ALIPAY_FIXTURES.app_private, public_key: ALIPAY_PUBLIC };
    right = {
      epay: { apiurl: epay.url, pid: FAKE_MERCHANT.pid, sign_type: 'MD5', key: FAKE_MERCHANT.key },
      alipay: { app_id: APP_ID, seller_id: SELLER_ID, gateway: alipay.url, ...keys },
      wechatpay: { ...WECHAT_MERCHANT, api: wechat.url },
      stripe: { ...STRIPE_KEYS, api: stripe.url },
    };
    for (const slug of Object.keys(right)) await panel.enable(slug);
  });
  afterAll(async () => {
    for (const fake of fakes) await fake.close();
    expect(problems).toEqual([]);
  });

  const tab = (slug: Slug) => `${panel.url}/admin/settings?tab=${slug}`;
  const testing = () => page.locator('form[data-ajax="zfcs"]');

  /** Enters and saves valid values, except for some fields. */
  async function enter(slug: Slug, fields: Fields): Promise<void> {
    await page.goto(`${tab(slug)}&lang=en`);
    for (const [name, value] of Object.entries({ ...right[slug], ...fields })) {
      const isChoice = (await page.locator(`select#gateway-${name}`).count()) > 0;
      if (isChoice) await page.selectOption(`#gateway-${name}`, value);
      else await page.fill(`#gateway-${name}`, value);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/^Saved\./)
      .first()
      .waitFor();
  }
  async function says(words: RegExp): Promise<void> {
    await testing().getByRole('button').click();
    await testing().getByRole('alert').getByText(words).waitFor();
  }

  it.each(Object.keys(WRONG) as Slug[])(
    '%s explains problems and what to do, and reports success once they are fixed',
    async (slug) => {
      for (const [at, [fields, english, chinese]] of WRONG[slug].entries()) {
        await enter(slug, fields);
        await lookAt(page, tab(slug), `gateway-test-${slug}-${at}`, async (language) => {
          await says(language === 'en' ? english : chinese);
          expect(await seriousFindings(page)).toEqual([]);
        });
      }
      await enter(slug, {});
      await testing().getByRole('button').click();
      await page.locator('.toast-stack').getByText('The settings are correct').waitFor();
    },
    240_000,
  );
});

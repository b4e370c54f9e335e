/** The bundled gateway wechatpay, tested with a WeChat Pay built from its documentation, and compared with a package for it. */
import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin';

import { isSignedBy, privateKeyOf, publicKeyOf, signWith } from '../../plugins/gateway-kit/src/rsa.js';
import { openResource } from '../../plugins/wechatpay/src/sealed.js';
import { Database } from '../../src/database/index.js';
import { GatewayCalls, PaymentTransaction, type Order } from '../../src/payment/index.js';
import { ALIPAY_FIXTURES } from '../support/fake-alipay.js';
import { FakeWechat, WECHAT_MERCHANT, type Changes } from '../support/fake-wechat.js';
import { choose, newOrder, stateOf } from '../support/gateway-orders.js';
import { TestPanel } from '../support/panel.js';

type Fields = Record<string, string>;
const VECTOR = JSON.parse(readFileSync(new URL('signed-vectors.json', import.meta.url), 'utf8')) as Record<
  'apiv3_key' | 'body' | 'plaintext' | 'public',
  string
> & {
  headers: Fields;
};

let panel: TestPanel;
let wechat: FakeWechat;
const save = (fields: Fields = {}) => panel.admin('p_wechatpay_save', { ...WECHAT_MERCHANT, api: wechat.url, ...fields });

beforeAll(async () => {
  wechat = await FakeWechat.start();
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  await panel.enable('wechatpay');
  expect(await save()).toMatchObject({ success: true });
});
afterAll(async () => {
  await panel.close();
  await wechat.close();
});
afterEach(async () => {
  wechat.answer = undefined;
  wechat.serial = WECHAT_MERCHANT.public_key_id;
  wechat.requests = [];
  await save({ app_secret: 'secret-of-app' });
});

async function placed(): Promise<Order> {
  const order = await newOrder(panel);
  expect(await (await choose(panel, order, 'wechatpay__native')).text()).toContain('<svg');
  return order;
}
const notify = async (body: string, headers: Fields = wechat.headers(body)) => {
  const response = await panel.fetch('/pay/wechatpay/notify', { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
};
const query = (order: Order) => panel.get(GatewayCalls).query(order, 'wechatpay');
const transactions = () => panel.get(Database).repository(PaymentTransaction).count();
const FAILED = { status: 400, text: '{"code":"FAIL","message":"失败"}' };

describe('compared with a package for it', () => {
  const key = Buffer.from(WECHAT_MERCHANT.apiv3_key);
  const resource = (ciphertext: string, nonce: string, associated_data: string) => ({
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext,
    nonce,
    associated_data,
  });

  it('decrypts what the package encrypts, and nothing that was altered', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.stringMatching(/^[0-9a-f]{12}$/),
        fc.string({ maxLength: 16 }),
        (text, nonce, aad) => {
          const ciphertext = Aes.AesGcm.encrypt(text, WECHAT_MERCHANT.apiv3_key, nonce, aad);
          expect(openResource(key, resource(ciphertext, nonce, aad))).toBe(text);
          expect(openResource(key, resource(ciphertext, nonce, `${aad}x`))).toBeNull();
          expect(openResource(Buffer.from('f'.repeat(32)), resource(ciphertext, nonce, aad))).toBeNull();
          const bytes = Buffer.from(ciphertext, 'base64');
          bytes[0]! ^= 1;
          expect(openResource(key, resource(bytes.toString('base64'), nonce, aad))).toBeNull();
        },
      ),
    );
  });

  it.each([
    null,
    {},
    resource('', 'n', ''),
    resource('AAAA', 'n', ''),
    { ...resource('AAAA', 'n', ''), algorithm: 'x' },
    resource(7 as never, 'n', ''),
  ])('rejects an invalid resource: %j', (value) => expect(openResource(key, value)).toBeNull());

  it('signs and verifies messages in the same way', () => {
    const [own, theirs] = [privateKeyOf(ALIPAY_FIXTURES.alipay_private)!, publicKeyOf(WECHAT_MERCHANT.public_key)!];
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ maxLength: 8 }), (body, nonce) => {
        const message = Formatter.response('1795228805', nonce, body);
        expect(signWith(own, message)).toBe(Rsa.sign(message, ALIPAY_FIXTURES.alipay_private));
        expect(isSignedBy(theirs, `1795228805\n${nonce}\n${body}\n`, Rsa.sign(message, ALIPAY_FIXTURES.alipay_private))).toBe(true);
        expect(isSignedBy(theirs, `${message}x`, Rsa.sign(message, ALIPAY_FIXTURES.alipay_private))).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('accepts the test vector', () => {
    const headers = Object.fromEntries(Object.entries(VECTOR.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const message = `${headers['wechatpay-timestamp']}\n${headers['wechatpay-nonce']}\n${VECTOR.body}\n`;
    expect(isSignedBy(publicKeyOf(VECTOR.public)!, message, headers['wechatpay-signature'])).toBe(true);
    const { resource: sealed } = JSON.parse(VECTOR.body) as { resource: unknown };
    expect(openResource(Buffer.from(VECTOR.apiv3_key), sealed)).toBe(VECTOR.plaintext);
  });
});

describe('a payment', () => {
  it.each([
    ['with the public key', {}],
    ['with a certificate', { mode: 'certificate' }],
  ])('is created, notified, queried and refunded once: %s', async (_name, settings) => {
    expect(await save(settings)).toMatchObject({ success: true });
    const { X509Certificate } = await import('node:crypto');
    if ('mode' in settings) wechat.serial = new X509Certificate(ALIPAY_FIXTURES.alipay_cert).serialNumber;
    const order = await placed();
    expect(wechat.requests[0]!.body).toMatchObject({
      notify_url: `${panel.url}/pay/wechatpay/notify`,
      amount: { total: 1_050, currency: 'CNY' },
    });
    expect(await query(order)).toEqual({ state: 'unpaid' });
    expect([await wechat.pay(order.number), await stateOf(panel, order)]).toEqual([204, 'paid']);
    const { transactionId, refunds } = wechat.orders.get(order.number)!;
    expect(await query(order)).toEqual({ state: 'paid', trade_no: transactionId, amount: 1_050, currency: 'CNY' });
    const request = { id: 'R1', amount: 50, trade_no: transactionId, paid: 1_050, reason: 'asked for' };
    for (let round = 0; round < 2; round += 1)
      expect(await panel.get(GatewayCalls).refund(order, 'wechatpay', request)).toMatchObject({ state: 'pending' });
    expect([...refunds]).toEqual([['R1', 50]]);
    expect(await panel.get(GatewayCalls).refund(order, 'wechatpay', { ...request, amount: 9_999 })).toMatchObject({ state: 'refused' });
  });

  it('in a phone’s browser redirects, and returns', async () => {
    const order = await newOrder(panel);
    const location = (await choose(panel, order, 'wechatpay__h5')).headers.get('location')!;
    expect(location).toContain(`https://wx.tenpay.com/h5?prepay_id=${order.number}&redirect_url=`);
    const back = decodeURIComponent(/redirect_url=(.*)$/.exec(location)![1]!);
    expect((await fetch(back, { redirect: 'manual' })).status).toBe(302);
  });

  it('inside WeChat asks for the payer, for this order only, and is not offered when half configured', async () => {
    await panel.get(Database).run("DELETE FROM SVC_plugin_option WHERE slug = 'wechatpay' AND `key` = 'app_secret'");
    expect((await choose(panel, await newOrder(panel), 'wechatpay__jsapi')).status).toBe(422);
    await save({ app_secret: 'secret-of-app' });
    const order = await newOrder(panel);
    const url = new URL((await choose(panel, order, 'wechatpay__jsapi')).headers.get('location')!);
    expect(url.host).toBe('open.weixin.qq.com');
    expect(url.searchParams.get('redirect_uri')).toBe(`${panel.url}/pay/wechatpay/jsapi`);
    const state = url.searchParams.get('state')!;
    const other = await newOrder(panel);
    const visit = (query: Fields) => panel.fetch(`/pay/wechatpay/jsapi?${new URLSearchParams(query)}`, { redirect: 'manual' });
    for (const wrong of ['', 'x', state.replace(order.number, other.number), `${order.number}.`])
      expect((await visit({ state: wrong, code: 'c' })).status).toBe(400);
    const page = await (await visit({ state, code: 'code-1' })).text();
    const asked = JSON.parse(/data-request="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"')) as Fields;
    expect(wechat.requests.at(-1)!.body).toMatchObject({
      out_trade_no: order.number,
      payer: { openid: 'openid-1' },
      amount: { total: 1_050 },
    });
    const message = [asked.appId, asked.timeStamp, asked.nonceStr, asked.package, ''].join('\n');
    expect(asked).toMatchObject({ appId: WECHAT_MERCHANT.appid, package: `prepay_id=wx${order.number}`, signType: 'RSA' });
    expect(asked.paySign).toBe(Rsa.sign(message, WECHAT_MERCHANT.private_key));
    // The payer is unknown: back to the order.
    expect((await visit({ state, code: 'code-2' })).headers.get('location')).toContain(order.number);
    expect((await visit({ state })).headers.get('location')).toContain(order.number);
  });

  it('that was closed or refunded says so', async () => {
    const order = await placed();
    for (const [there, here] of [
      ['CLOSED', 'closed'],
      ['REFUND', 'refunded'],
      ['USERPAYING', 'unpaid'],
    ] as const) {
      wechat.orders.get(order.number)!.state = there;
      expect(await query(order)).toEqual({ state: here });
    }
  });
});

describe('an invalid notification settles nothing, and is rejected', () => {
  type Made = string | [body: string, headers: Fields];
  const changed = (number: string, changes: Changes): string => wechat.notification(number, changes);
  const without = (headers: Fields, name: string): Fields => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
  const CORPUS: Record<string, (order: Order, other: Order) => Made> = {
    'no body': () => '',
    'no JSON': () => 'out_trade_no=1',
    'no signature': ({ number }) => [changed(number, {}), { 'Content-Type': 'application/json' }],
    'no time': ({ number }) => {
      const body = changed(number, {});
      return [body, without(wechat.headers(body), 'Wechatpay-Timestamp')];
    },
    'from ten minutes ago': ({ number }) => {
      const body = changed(number, {});
      return [body, wechat.headers(body, Date.now() - 600_000)];
    },
    'from ten minutes hence': ({ number }) => {
      const body = changed(number, {});
      return [body, wechat.headers(body, Date.now() + 600_000)];
    },
    'another serial': ({ number }) => {
      const body = changed(number, {});
      return [body, { ...wechat.headers(body), 'Wechatpay-Serial': 'PUB_KEY_ID_OTHER' }];
    },
    'the probe of a signature': ({ number }) => {
      const body = changed(number, {});
      return [body, { ...wechat.headers(body), 'Wechatpay-Signature': 'WECHATPAY/SIGNTEST/abcdefgh' }];
    },
    'another body than was signed': ({ number }, other) => [changed(number, {}), wechat.headers(changed(other.number, {}))],
    'cut in the middle': ({ number }) => {
      const body = changed(number, {});
      return [body.slice(0, 200), wechat.headers(body)];
    },
    'sealed with another key': ({ number }) => changed(number, { key: 'f'.repeat(32) }),
    'not sealed at all': ({ number }) => changed(number, { event: { resource: { out_trade_no: number } } }),
    'another event': ({ number }) => changed(number, { event: { event_type: 'TRANSACTION.FAIL' } }),
    'no event': ({ number }) => changed(number, { event: { event_type: undefined } }),
    'a state that is no payment': ({ number }) => changed(number, { transaction: { trade_state: 'NOTPAY' } }),
    'another merchant': ({ number }) => changed(number, { transaction: { mchid: '1900000002' } }),
    'another application': ({ number }) => changed(number, { transaction: { appid: 'wx0000000000000002' } }),
    'less money': ({ number }) => changed(number, { transaction: { amount: { total: 1, currency: 'CNY' } } }),
    'a part of a fen': ({ number }) => changed(number, { transaction: { amount: { total: 1050.5, currency: 'CNY' } } }),
    'money as a text': ({ number }) => changed(number, { transaction: { amount: { total: '1050' } } }),
    'no money': ({ number }) => changed(number, { transaction: { amount: undefined } }),
    'another currency': ({ number }) => changed(number, { transaction: { amount: { total: 1_050, currency: 'USD' } } }),
    'no transaction': ({ number }) => changed(number, { transaction: { transaction_id: '' } }),
    'no order': ({ number }) => changed(number, { transaction: { out_trade_no: undefined } }),
    'an order there is not': ({ number }) => changed(number, { transaction: { out_trade_no: '20010101000000000' } }),
  };

  it.each(Object.entries(CORPUS))('%s', async (_name, make) => {
    const [order, other] = [await placed(), await placed()];
    const before = await transactions();
    const made = make(order, other);
    const answer = typeof made === 'string' ? await notify(made) : await notify(...made);
    // The panel itself rejects invalid JSON.
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    if (answer.text.includes('FAIL')) expect(answer).toEqual(FAILED);
    expect([await stateOf(panel, order), await stateOf(panel, other), await transactions()]).toEqual(['unpaid', 'unpaid', before]);
  });

  it('by GET, with a megabyte, or for an order of another gateway', async () => {
    const order = await placed();
    expect((await panel.fetch('/pay/wechatpay/notify')).status).toBe(400);
    const huge = JSON.stringify({ ...(JSON.parse(wechat.notification(order.number)) as object), x: 'x'.repeat(1_100_000) });
    expect((await notify(huge)).status).toBe(413);
    const stranger = await newOrder(panel);
    wechat.orders.set(stranger.number, { ...wechat.orders.get(order.number)!, transactionId: '77' });
    expect(await notify(wechat.notification(stranger.number))).toEqual(FAILED);
    expect([await stateOf(panel, order), await stateOf(panel, stranger)]).toEqual(['unpaid', 'unpaid']);
  });

  it('a repeated one, many times at once: one payment; one of a refund changes nothing', async () => {
    const order = await placed();
    const before = await transactions();
    const refund = wechat.notification(order.number, { event: { event_type: 'REFUND.SUCCESS' } });
    expect((await notify(refund)).status).toBe(204);
    expect(await stateOf(panel, order)).toBe('unpaid');
    const body = wechat.notification(order.number);
    const headers = wechat.headers(body);
    const answers = await Promise.all(Array.from({ length: 10 }, () => notify(body, headers)));
    expect(answers).toEqual(Array.from({ length: 10 }, () => ({ status: 204, text: '' })));
    expect(await transactions()).toBe(before + 1);
  });
});

describe('the settings', () => {
  const test = async () => (await panel.admin('zfcs', { slug: 'wechatpay' })).code;

  it.each<[string, Fields, RegExp]>([
    ['right', {}, /设置正确/],
    ['another merchant', { mchid: '1900000009' }, /不接受此商户.*检查商户号/],
    ['another private key', { private_key: ALIPAY_FIXTURES.app_private }, /无法验证签名.*商户私钥/],
    ['another serial', { serial_no: 'ABCDEF0123' }, /无法验证签名.*序列号/],
    ['another APIv3 key', { apiv3_key: 'f'.repeat(32) }, /APIv3 密钥不正确/],
    ['the merchant’s public key', { public_key: ALIPAY_FIXTURES.app_cert }, /无法用所填公钥验证/],
    ['another key ID', { public_key_id: 'PUB_KEY_ID_0' }, /公钥或证书是 PUB_KEY_ID_0119/],
    ['an address nobody answers at', { api: 'http://127.0.0.1:1', app_secret: 'secret-of-app' }, /无法连接/],
  ])('are tested, and problems are described: %s', async (_name, fields, words) => {
    expect(await save(fields)).toMatchObject({ success: true });
    expect(await test()).toMatch(words);
  });

  it('report a response that is not WeChat Pay’s, and trust none without a signature', async () => {
    wechat.answer = '<html>502</html>';
    expect(await test()).toMatch(/不是微信支付/);
    const order = await placed().catch(() => newOrder(panel));
    wechat.answer = JSON.stringify({
      out_trade_no: order.number,
      mchid: WECHAT_MERCHANT.mchid,
      trade_state: 'SUCCESS',
      transaction_id: '1',
      amount: { total: 1_050 },
    });
    wechat.serial = 'OTHER';
    await expect(query(order)).rejects.toMatchObject({ code: 'GATEWAY_FAILED' });
  });

  it('send no stored secret to another address', async () => {
    await save({ app_secret: 'secret-of-app' });
    expect((await save({ api: 'https://elsewhere.example.com' })).fields).toHaveProperty('app_secret');
  });

  it('are rejected at the invalid field', async () => {
    for (const [fields, wrong] of [
      [{ mchid: '' }, 'mchid'],
      [{ private_key: 'x' }, 'private_key'],
      [{ apiv3_key: 'short' }, 'apiv3_key'],
      [{ serial_no: 'not a serial' }, 'serial_no'],
      [{ public_key: WECHAT_MERCHANT.private_key }, 'public_key'],
      [{ mode: 'certificate', platform_cert: '' }, 'platform_cert'],
    ] as const)
      expect((await save(fields as Fields)).fields, wrong).toHaveProperty(wrong);
  });

  it('store the keys encrypted and never show them', async () => {
    const page = await (await panel.adminFetch('/admin/settings?tab=wechatpay')).text();
    const rows = JSON.stringify(await panel.get(Database).query("SELECT * FROM SVC_plugin_option WHERE slug = 'wechatpay'"));
    const lines = JSON.stringify(await panel.get(Database).query('SELECT * FROM `SVC_log`'));
    for (const secret of [WECHAT_MERCHANT.private_key.slice(60, 100), WECHAT_MERCHANT.apiv3_key])
      for (const place of [page, rows, lines]) expect(place).not.toContain(secret);
  });
});

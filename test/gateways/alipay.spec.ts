/** The bundled gateway alipay, tested with an Alipay built from its documentation, and compared with Alipay's own package. */
import { AlipaySdk } from 'alipay-sdk';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { rootSerialOf, serialOf } from '../../plugins/alipay/src/certificates.js';
import { notificationTexts, requestText, signedPart } from '../../plugins/alipay/src/signature.js';
import { isSignedBy, privateKeyOf, publicKeyOf, signWith } from '../../plugins/gateway-kit/src/rsa.js';
import { Database } from '../../src/database/index.js';
import { GatewayCalls, PaymentTransaction, type Order } from '../../src/payment/index.js';
import { ALIPAY_FIXTURES, ALIPAY_PUBLIC, APP_ID, FakeAlipay, SELLER_ID } from '../support/fake-alipay.js';
import { choose, formOf, newOrder, stateOf } from '../support/gateway-orders.js';
import { TestPanel } from '../support/panel.js';

type Fields = Record<string, string>;

let panel: TestPanel;
let alipay: FakeAlipay;
const KEYS = { mode: 'key', app_id: APP_ID, private_key: ALIPAY_FIXTURES.app_private, public_key: ALIPAY_PUBLIC, seller_id: SELLER_ID };
const CERTIFICATES = {
  mode: 'cert',
  app_cert: ALIPAY_FIXTURES.app_cert,
  alipay_cert: ALIPAY_FIXTURES.alipay_cert,
  root_cert: ALIPAY_FIXTURES.root_cert,
};
const save = (fields: Fields = {}) => panel.admin('p_alipay_save', { ...KEYS, gateway: alipay.url, ...fields });
/** Alipay's own package with the same settings. */
const sdk = (more: object = {}) =>
  new AlipaySdk({ appId: APP_ID, privateKey: ALIPAY_FIXTURES.app_private, keyType: 'PKCS8', alipayPublicKey: ALIPAY_PUBLIC, ...more });

beforeAll(async () => {
  alipay = await FakeAlipay.start();
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  await panel.enable('alipay');
  expect(await save()).toMatchObject({ success: true });
});
afterAll(async () => {
  await panel.close();
  await alipay.close();
});
afterEach(async () => {
  alipay.answer = undefined;
  alipay.requests = [];
  await save();
});

async function placed(method = 'pc', headers: Fields = {}): Promise<Order> {
  const order = await newOrder(panel);
  const page = await (await choose(panel, order, `alipay__${method}`, headers)).text();
  if (method === 'pc') {
    const { action, fields } = formOf(page);
    await fetch(action, { method: 'POST', body: new URLSearchParams(fields) });
  }
  return order;
}
const notify = async (
  fields: Fields | string,
  method = 'POST',
  headers: Fields = { 'Content-Type': 'application/x-www-form-urlencoded' },
) => {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const response = await panel.fetch(
    `/pay/alipay/notify${method === 'GET' ? `?${body}` : ''}`,
    method === 'GET' ? {} : { method, body, headers },
  );
  return { status: response.status, text: await response.text() };
};
const transactions = () => panel.get(Database).repository(PaymentTransaction).count();
const query = (order: Order) => panel.get(GatewayCalls).query(order, 'alipay');

describe('compared with Alipay’s own package', () => {
  const texts = fc.dictionary(
    fc
      .string({ unit: fc.constantFrom(...'abcXYZ_09'), minLength: 1, maxLength: 8 })
      .filter((name) => name !== 'sign' && name !== 'sign_type'),
    fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('a=b&c', '100%', '+ %2B', '')),
    { minKeys: 1, maxKeys: 10 },
  );
  const own = privateKeyOf(ALIPAY_FIXTURES.alipay_private)!;
  const theirs = publicKeyOf(ALIPAY_PUBLIC)!;
  const accepts = (fields: Fields): boolean => notificationTexts(fields).some((text) => isSignedBy(theirs, text, fields.sign));

  it('accepts the same notifications, and no others', () => {
    const oracle = sdk();
    fc.assert(
      fc.property(texts, fc.constantFrom('as it is', 'changed', 'another signature'), (fields, fate) => {
        const content = notificationTexts(fields)[1]!;
        const signed: Fields = { ...fields, sign_type: 'RSA2', sign: signWith(own, content) };
        const [name] = Object.keys(fields) as [string];
        if (fate === 'changed') signed[name] += '1';
        if (fate === 'another signature') signed.sign = signWith(own, `${content}x`);
        expect(accepts(signed)).toBe(oracle.checkNotifySignV2(signed));
        expect(accepts(signed)).toBe(fate === 'as it is');
      }),
      { numRuns: 300 },
    );
  });

  it('accepts the test vector, and rejects it once a byte is changed', () => {
    const fields = Object.fromEntries(new URLSearchParams(ALIPAY_FIXTURES.notification.form));
    const key = publicKeyOf(ALIPAY_FIXTURES.notification.public)!;
    const check = (changed: Fields): boolean => notificationTexts(changed).some((text) => isSignedBy(key, text, changed.sign));
    expect(check(fields)).toBe(true);
    for (const name of Object.keys(fields).filter((field) => field !== 'sign_type'))
      expect(check({ ...fields, [name]: `${fields[name]}1` }), name).toBe(false);
  });

  it('computes the same certificate numbers', () => {
    const config = sdk({
      alipayPublicKey: undefined,
      appCertContent: ALIPAY_FIXTURES.app_cert,
      alipayPublicCertContent: ALIPAY_FIXTURES.alipay_cert,
      alipayRootCertContent: ALIPAY_FIXTURES.root_cert,
    }).config as unknown as Fields;
    expect(serialOf(ALIPAY_FIXTURES.app_cert)).toBe(config.appCertSn);
    expect(rootSerialOf(ALIPAY_FIXTURES.root_cert)).toBe(config.alipayRootCertSn);
  });

  it('creates the same signatures', async () => {
    const order = await newOrder(panel, 1_050, 'A "plan" 虚拟 & more');
    const { fields } = formOf(await (await choose(panel, order, 'alipay__pc')).text());
    const { sign, ...unsigned } = fields;
    const bizContent = JSON.parse(fields.biz_content!) as object;
    const url = new URL(
      sdk().pageExecute('alipay.trade.page.pay', 'GET', { bizContent, notifyUrl: fields.notify_url, returnUrl: fields.return_url }),
    );
    const oracle = Object.fromEntries(url.searchParams);
    // It omits the format, of which there is only one.
    expect(['format', ...Object.keys(oracle)].filter((name) => name !== 'alipay_sdk').sort()).toEqual(Object.keys(fields).sort());
    // The same fields, signed by the same key, have the same signature.
    const { sign: theirs, ...theirFields } = oracle;
    expect(signWith(privateKeyOf(ALIPAY_FIXTURES.app_private_pkcs1)!, requestText(theirFields))).toBe(theirs);
    expect(signWith(privateKeyOf(ALIPAY_FIXTURES.app_private)!, requestText(unsigned))).toBe(sign);
  });
});

it('finds the signed part of a response as it arrived', () => {
  expect(signedPart('{"a_response":{"b":"} \\" {","c":{"d":1}} ,"sign":"x"}', 'a_response')).toBe('{"b":"} \\" {","c":{"d":1}}');
  for (const body of ['', '{}', '{"a_response":1}', '{"a_response":{"b":"', '{"a_response":{'])
    expect(signedPart(body, 'a_response')).toBeNull();
});

describe('a payment', () => {
  it.each([
    ['with keys', {}],
    ['with certificates', CERTIFICATES],
  ])('is created, notified, queried and refunded once: %s', async (_name, settings) => {
    expect(await save(settings)).toMatchObject({ success: true });
    const order = await placed();
    expect(alipay.requests.at(-1)).toMatchObject({ method: 'alipay.trade.page.pay', notify_url: `${panel.url}/pay/alipay/notify` });
    expect(Boolean(alipay.requests.at(-1)!.app_cert_sn)).toBe('mode' in settings);
    expect(await query(order)).toEqual({ state: 'unpaid' });
    expect([await alipay.pay(order.number), await stateOf(panel, order)]).toEqual(['success', 'paid']);
    const { tradeNumber, refunds } = alipay.trades.get(order.number)!;
    expect(await query(order)).toEqual({ state: 'paid', trade_no: tradeNumber, amount: 1_050 });
    const request = { id: 'R1', amount: 50, trade_no: tradeNumber, paid: 1_050, reason: 'asked for' };
    for (let round = 0; round < 2; round += 1)
      expect(await panel.get(GatewayCalls).refund(order, 'alipay', request)).toMatchObject({ state: 'done' });
    expect([...refunds]).toEqual([['R1', '0.50']]);
    expect(await panel.get(GatewayCalls).refund(order, 'alipay', { ...request, id: 'R2', amount: 99_999 })).toMatchObject({
      state: 'refused',
    });
  });

  it('on a phone goes to its page; a QR code is shown; an unscanned order is unpaid', async () => {
    await placed('pc', { 'User-Agent': 'Mozilla/5.0 (iPhone) Mobile' });
    expect(alipay.requests.at(-1)!.method).toBe('alipay.trade.wap.pay');
    const order = await newOrder(panel);
    expect(await query(order)).toEqual({ state: 'unpaid' });
    expect(await (await choose(panel, order, 'alipay__qrcode')).text()).toContain('<svg');
    expect(await alipay.pay(order.number)).toBe('success');
  });

  it('that was closed says so, and so does a fully refunded one', async () => {
    const order = await placed();
    alipay.trades.get(order.number)!.status = 'TRADE_CLOSED';
    expect(await query(order)).toEqual({ state: 'closed' });
  });

  it('returns to its order, which does not settle it', async () => {
    const order = await placed();
    const back = new URLSearchParams(alipay.notification(order.number)).toString();
    expect((await panel.fetch(`/pay/alipay/return?${back}`, { redirect: 'manual' })).headers.get('location')).toContain(order.number);
    expect((await panel.fetch(`/pay/alipay/return?${back}&x=1`, { redirect: 'manual' })).headers.get('location')).toBe('/');
    expect(await stateOf(panel, order)).toBe('unpaid');
  });

  it('that was refunded gets a notification that changes nothing', async () => {
    const order = await placed();
    expect((await notify(alipay.notification(order.number, { gmt_refund: '2026-11-21 11:00:00', refund_fee: '10.50' }))).text).toBe(
      'success',
    );
    expect(await stateOf(panel, order)).toBe('unpaid');
  });
});

describe('an invalid notification settles nothing, and is answered with fail', () => {
  const text = (fields: Fields): string => new URLSearchParams(fields).toString();
  const CORPUS: Record<string, (order: Order, other: Order) => Fields | string> = {
    'no fields': () => '',
    'no signature': ({ number }) => ({ ...alipay.notification(number), sign: '' }),
    'a signature that is no base64': ({ number }) => ({ ...alipay.notification(number), sign: '%%%' }),
    'the older kind of signature': ({ number }) => ({ ...alipay.notification(number), sign_type: 'RSA' }),
    'the application’s own signature': ({ number }) => {
      const fields = alipay.notification(number);
      return { ...fields, sign: signWith(privateKeyOf(ALIPAY_FIXTURES.app_private)!, notificationTexts(fields)[0]!) };
    },
    'a field changed after signing': ({ number }) => ({ ...alipay.notification(number), total_amount: '0.01' }),
    'a field added after signing': ({ number }) => ({ ...alipay.notification(number), extra: '1' }),
    'another order’s': ({ number }, other) => ({ ...alipay.notification(other.number), out_trade_no: number }),
    'cut in the middle': ({ number }) => text(alipay.notification(number)).slice(0, 200),
    'less money': ({ number }) => alipay.notification(number, { total_amount: '0.01' }),
    'a part of a fen': ({ number }) => alipay.notification(number, { total_amount: '10.501' }),
    'no money': ({ number }) => alipay.notification(number, { total_amount: '' }),
    'another application': ({ number }) => alipay.notification(number, { app_id: '2021000000000002' }),
    'another seller': ({ number }) => alipay.notification(number, { seller_id: '2088000000000000' }),
    'no seller': ({ number }) => alipay.notification(number, { seller_id: '' }),
    'no transaction': ({ number }) => alipay.notification(number, { trade_no: '' }),
    'an order there is not': ({ number }) => alipay.notification(number, { out_trade_no: '20010101000000000' }),
    'waiting for the buyer': ({ number }) => alipay.notification(number, { trade_status: 'WAIT_BUYER_PAY' }),
    closed: ({ number }) => alipay.notification(number, { trade_status: 'TRADE_CLOSED' }),
    'a field twice': ({ number }) => `${text(alipay.notification(number))}&total_amount=10.50`,
    'another encoding': ({ number }) => text(alipay.notification(number)).replace(/subject=[^&]*/, 'subject=%D0%E9%C4%E2'),
  };

  it.each(Object.entries(CORPUS))('%s', async (_name, make) => {
    const [order, other] = [await placed(), await placed()];
    const before = await transactions();
    expect(await notify(make(order, other))).toEqual({ status: 200, text: 'fail' });
    expect([await stateOf(panel, order), await stateOf(panel, other), await transactions()]).toEqual(['unpaid', 'unpaid', before]);
  });

  it('by GET, with a megabyte, or for an order of another gateway', async () => {
    const order = await placed();
    expect(await notify(alipay.notification(order.number), 'GET')).toEqual({ status: 200, text: 'fail' });
    expect((await notify(`${text(alipay.notification(order.number))}&x=${'x'.repeat(1_100_000)}`)).status).toBe(413);
    const json = await notify(JSON.stringify(alipay.notification(order.number)), 'POST', { 'Content-Type': 'application/json' });
    expect(json).toEqual({ status: 200, text: 'fail' });
    const stranger = await newOrder(panel);
    alipay.trades.set(stranger.number, { ...alipay.trades.get(order.number)!, tradeNumber: '77' });
    expect((await notify(alipay.notification(stranger.number))).text).toBe('fail');
    expect([await stateOf(panel, order), await stateOf(panel, stranger)]).toEqual(['unpaid', 'unpaid']);
  });

  it('a repeated one, many times at once: one payment', async () => {
    const order = await placed();
    const before = await transactions();
    const sent = alipay.notification(order.number);
    const answers = await Promise.all(Array.from({ length: 10 }, () => notify(sent)));
    expect(new Set(answers.map(({ text: said }) => said))).toEqual(new Set(['success']));
    expect(await transactions()).toBe(before + 1);
  });
});

describe('the settings', () => {
  const test = async () => (await panel.admin('zfcs', { slug: 'alipay' })).code;

  it.each<[string, Fields, RegExp]>([
    ['right', {}, /设置正确/],
    ['with certificates', CERTIFICATES, /设置正确/],
    ['another application', { app_id: '2021000000000009' }, /不认识此应用.*APPID/],
    ['another private key', { private_key: ALIPAY_FIXTURES.alipay_private }, /无法验证签名.*应用私钥/],
    ['the application’s public key for Alipay’s', { public_key: ALIPAY_FIXTURES.app_cert }, /填成了应用公钥/],
    ['a gateway that is none', { gateway: 'http://127.0.0.1:1/gateway.do' }, /无法连接/],
  ])('are tested, and problems are described: %s', async (_name, fields, words) => {
    expect(await save(fields)).toMatchObject({ success: true });
    expect(await test()).toMatch(words);
  });

  it('report a response that is not Alipay’s', async () => {
    alipay.answer = '<html>502</html>';
    expect(await test()).toMatch(/不是支付宝/);
    const order = await placed();
    alipay.answer =
      `{"alipay_trade_query_response":{"code":"10000","out_trade_no":"${order.number}",` +
      `"trade_status":"TRADE_SUCCESS","total_amount":"10.50","trade_no":"1"},"sign":"AAAA"}`;
    await expect(query(order)).rejects.toMatchObject({ code: 'GATEWAY_FAILED' });
    alipay.answer = alipay.answer.replace(',"sign":"AAAA"', '');
    await expect(query(order)).rejects.toMatchObject({ code: 'GATEWAY_FAILED' });
  });

  it('are rejected at the invalid field', async () => {
    for (const [fields, wrong] of [
      [{ app_id: '' }, 'app_id'],
      [{ private_key: 'x' }, 'private_key'],
      [{ public_key: ALIPAY_FIXTURES.app_private }, 'public_key'],
      [{ mode: 'cert', app_cert: '' }, 'app_cert'],
      [{ ...CERTIFICATES, root_cert: 'x' }, 'root_cert'],
      [{ gateway: 'openapi.alipay.com' }, 'gateway'],
    ] as const)
      expect((await save(fields as Fields)).fields, wrong).toHaveProperty(wrong);
  });

  it('store the private key encrypted and never show it', async () => {
    const page = await (await panel.adminFetch('/admin/settings?tab=alipay')).text();
    const rows = JSON.stringify(await panel.get(Database).query("SELECT * FROM SVC_plugin_option WHERE slug = 'alipay'"));
    const lines = JSON.stringify(await panel.get(Database).query('SELECT * FROM `SVC_log`'));
    for (const place of [page, rows, lines]) expect(place).not.toContain(ALIPAY_FIXTURES.app_private.slice(60, 100));
  });
});

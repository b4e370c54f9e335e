/** The bundled gateway epay, tested with a platform built from the description of its protocol. */
import { readFileSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { md5Of, signedText } from '../../plugins/epay/src/signature.js';
import { isSignedBy, publicKeyOf } from '../../plugins/gateway-kit/src/rsa.js';
import { Database } from '../../src/database/index.js';
import { GatewayCalls, Orders, PaymentTransaction, SecondPayment, type Order } from '../../src/payment/index.js';
import { FAKE_MERCHANT, FakeEpay, type Fields } from '../support/fake-epay.js';
import { choose, formOf, newOrder, stateOf } from '../support/gateway-orders.js';
import { TestPanel } from '../support/panel.js';

const VECTORS = JSON.parse(readFileSync(new URL('epay-vectors.json', import.meta.url), 'utf8')) as {
  v1: { case: string; key: string; params: Fields; sign: string }[];
  v2: { query: string; platform_public: string };
};

let panel: TestPanel;
let epay: FakeEpay;
const save = (fields: Fields = {}) =>
  panel.admin('p_epay_save', {
    apiurl: epay.url,
    pid: FAKE_MERCHANT.pid,
    key: FAKE_MERCHANT.key,
    sign_type: 'MD5',
    key_join: 'plain',
    ...fields,
  });
const useRsa = () => save({ sign_type: 'RSA', private_key: FAKE_MERCHANT.privateKey, public_key: FAKE_MERCHANT.publicKey });

beforeAll(async () => {
  epay = await FakeEpay.start();
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  await panel.enable('epay');
  expect(await save()).toMatchObject({ success: true, code: '保存成功' });
});
afterAll(async () => {
  await panel.close();
  await epay.close();
});
afterEach(async () => {
  epay.join = '';
  epay.answer = undefined;
  epay.requests = [];
  await save();
});

/** The buyer is redirected to the platform, which then has the order. */
async function placed(amount?: number): Promise<Order> {
  const order = await newOrder(panel, amount);
  const { action, fields } = formOf(await (await choose(panel, order, 'epay__alipay')).text());
  expect(await (await fetch(action, { method: 'POST', body: new URLSearchParams(fields) })).text()).toBe('cashier');
  return order;
}
const notify = async (fields: Fields | string, method: 'GET' | 'POST' = 'GET', path = '/pay/epay/notify') => {
  const query = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await panel.fetch(
    method === 'GET' ? `${path}?${query}` : path,
    method === 'GET' ? {} : { method, body: query, headers },
  );
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
const transactions = () => panel.get(Database).repository(PaymentTransaction).count();

describe('signatures', () => {
  it.each(VECTORS.v1.map((vector) => [vector.case, vector] as const))('of the older interface: %s', (_case, { key, params, sign }) => {
    expect(md5Of(signedText(params), key, 'plain')).toBe(sign);
  });

  it('of the newer interface match the platform’s own class', () => {
    const fields = Object.fromEntries(new URLSearchParams(VECTORS.v2.query));
    const key = publicKeyOf(VECTORS.v2.platform_public)!;
    expect(isSignedBy(key, signedText(fields), fields.sign)).toBe(true);
    expect(isSignedBy(key, signedText({ ...fields, money: '2' }), fields.sign)).toBe(false);
  });
});

describe('a payment', () => {
  it.each([
    ['MD5', save],
    ['RSA', useRsa],
    ['MD5 with &key=', () => ((epay.join = '&key='), save({ key_join: 'named' }))],
  ])('is created, notified, returned, queried and refunded: %s', async (_name, setUp) => {
    expect(await setUp()).toMatchObject({ success: true });
    const order = await placed();
    expect(await panel.get(GatewayCalls).query(order, 'epay')).toEqual({ state: 'unpaid' });
    const { answer, back } = await epay.pay(order.number);
    expect([answer, await stateOf(panel, order)]).toEqual(['success', 'paid']);
    expect((await fetch(back, { redirect: 'manual' })).headers.get('location')).toMatch(`/pay/order/${order.number}`);
    const { tradeNumber, refunded } = epay.orders.get(order.number)!;
    expect(await panel.get(GatewayCalls).query(order, 'epay')).toEqual({ state: 'paid', trade_no: tradeNumber, amount: 1_050 });
    const request = { id: `R-${order.number}`, amount: 50, trade_no: tradeNumber, paid: 1_050, reason: '' };
    for (let round = 0; round < 2; round += 1)
      expect(await panel.get(GatewayCalls).refund(order, 'epay', request)).toMatchObject({ state: 'done' });
    expect(refunded).toHaveLength(1);
    expect(refunded[0]).toMatch(/0\.50$/);
  });

  it.each(['1', '1.0', '1.00'])('of one yuan is accepted as %s, by GET and by POST', async (money) => {
    for (const method of ['GET', 'POST'] as const) {
      const order = await placed(100);
      expect(await notify(epay.notification(order.number, money), method)).toMatchObject({ status: 200, text: 'success' });
      expect(await stateOf(panel, order)).toBe('paid');
    }
  });

  it('accepts further signed fields, and ignores blanks it dropped and the path in the query for the signature', async () => {
    const order = await placed();
    const { sign: _sign, sign_type: _type, ...fields } = epay.notification(order.number);
    const signed = epay.sign({ ...fields, endtime: '2026-11-21 10:00:00', param: 'a=b&c d+e%20"f' });
    expect((await notify({ ...signed, buyer: '', blank: ' ', _r: '/pay/epay/notify' })).text).toBe('success');
  });

  it.each([
    ['en', 'Going to the payment page …'],
    ['zh-CN', '正在前往支付页面……'],
  ])('redirects with a page in the language of its buyer: %s', async (lang, words) => {
    await save();
    const answer = await choose(panel, await newOrder(panel), 'epay__alipay', { Cookie: `lang=${lang}` });
    const page = await answer.text();
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page).toContain(`<p>${words}</p>`);
  });

  it('uses a name no longer than the platform stores', async () => {
    const order = await newOrder(panel, 100, '虚'.repeat(127));
    const { fields } = formOf(await (await choose(panel, order, 'epay__wxpay')).text());
    expect(Buffer.byteLength(fields.name!)).toBe(126);
    expect(fields).toMatchObject({ type: 'wxpay', money: '1.00', notify_url: `${panel.url}/pay/epay/notify`, sign_type: 'MD5' });
  });

  it('is not built before everything is configured', async () => {
    await panel.get(Database).run("DELETE FROM SVC_plugin_option WHERE slug = 'epay' AND `key` = 'pid'");
    expect((await choose(panel, await newOrder(panel), 'epay__alipay')).status).toBe(422);
  });
});

describe('an invalid notification settles nothing, and is answered with fail', () => {
  const sign = (number: string, change: Fields) => {
    const { sign: _sign, sign_type: _type, ...fields } = epay.notification(number);
    return epay.sign({ ...fields, ...change });
  };
  const CORPUS: Record<string, (order: Order, other: Order) => Fields | string> = {
    'no fields': () => '',
    'no signature': ({ number }) => ({ ...epay.notification(number), sign: '' }),
    'a signature with another key': ({ number }) => epay.sign(epay.notification(number), 'MD5', 'x'.repeat(32)),
    'a signature of the other kind': ({ number }) => epay.sign(epay.notification(number), 'RSA'),
    'a field changed after signing': ({ number }) => ({ ...epay.notification(number), money: '0.01' }),
    'a field added after signing': ({ number }) => ({ ...epay.notification(number), extra: '1' }),
    'a field left out after signing': ({ number }) => new URLSearchParams(epay.notification(number)).toString().replace(/&?name=[^&]*/, ''),
    'another order’s signature': ({ number }, other) => ({ ...epay.notification(other.number), out_trade_no: number }),
    'cut in the middle': ({ number }) => new URLSearchParams(epay.notification(number)).toString().slice(0, 120),
    'less money': ({ number }) => sign(number, { money: '0.01' }),
    'more money': ({ number }) => sign(number, { money: '100000' }),
    'money with a part of a fen': ({ number }) => sign(number, { money: '10.501' }),
    'money that is none': ({ number }) => sign(number, { money: '10,50' }),
    'negative money': ({ number }) => sign(number, { money: '-10.50' }),
    'no money': ({ number }) => sign(number, { money: '' }),
    'another merchant': ({ number }) => sign(number, { pid: '1002' }),
    'no merchant': ({ number }) => sign(number, { pid: '' }),
    'a state that is no payment': ({ number }) => sign(number, { trade_status: 'WAIT_BUYER_PAY' }),
    'no state': ({ number }) => sign(number, { trade_status: '' }),
    'no transaction': ({ number }) => sign(number, { trade_no: '' }),
    'a transaction too long': ({ number }) => sign(number, { trade_no: '9'.repeat(129) }),
    'an order there is not': ({ number }) => sign(number, { out_trade_no: '20010101000000000' }),
    'a number that is none': ({ number }) => sign(number, { out_trade_no: "1' OR '1'='1" }),
    'a field twice': ({ number }) => `${new URLSearchParams(sign(number, {})).toString()}&out_trade_no=${number}`,
    'money twice': ({ number }) => `money=10.5&${new URLSearchParams(sign(number, {})).toString()}`,
    'bytes that are no UTF-8': ({ number }) => `${new URLSearchParams(epay.notification(number)).toString()}&param=%ff%fe%B0%A1`,
    'a name in another encoding': ({ number }) =>
      new URLSearchParams(epay.notification(number)).toString().replace(/name=[^&]*/, 'name=VIP%BB%E1%D4%B1'),
    'a broken escape': ({ number }) => `${new URLSearchParams(epay.notification(number)).toString()}&param=%E4%B`,
  };

  it('is shown in the payment log in the reader’s language', async () => {
    const order = await placed();
    expect((await notify({ ...epay.notification(order.number), sign: '0'.repeat(32) })).text).toBe('fail');
    const lines = async (lang: string) => {
      const body = new URLSearchParams({ gn: 'listzfrz', page: '1', limit: '5', ss: order.number, jk: 'epay' });
      const headers = { 'Accept-Language': lang };
      const { rows } = (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body, headers })).json()) as {
        rows: { lr: string }[];
      };
      return rows.map(({ lr }) => lr);
    };
    expect(await lines('zh-CN')).toEqual([`「验签失败 ${order.number}」`]);
    expect(await lines('en')).toEqual([`「Notification with an invalid signature ${order.number}」`]);
  });

  it.each(Object.entries(CORPUS))('%s', async (_name, make) => {
    const [order, other] = [await placed(), await placed()];
    const before = await transactions();
    for (const method of ['GET', 'POST'] as const) {
      const answer = await notify(make(order, other), method);
      expect(answer).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: 'fail' });
    }
    expect([await stateOf(panel, order), await stateOf(panel, other), await transactions()]).toEqual(['unpaid', 'unpaid', before]);
  });

  it('another gateway’s order, and another gateway’s address', async () => {
    const order = await newOrder(panel);
    await panel.enable('sandbox');
    await panel.get(Orders).chooseType(order.id, 'sandbox__test');
    epay.orders.set(order.number, {
      tradeNumber: '77',
      status: '1',
      refunded: [],
      fields: { pid: '1001', type: 'alipay', name: 'n', money: '10.50' },
    });
    expect((await notify(epay.notification(order.number))).text).toBe('fail');
    expect((await notify(epay.notification((await placed()).number), 'GET', '/pay/sandbox/notify')).text).toBe('fail');
    expect(await stateOf(panel, order)).toBe('unpaid');
  });

  it('a megabyte, and data that is no form', async () => {
    const order = await placed();
    const huge = `${new URLSearchParams(epay.notification(order.number)).toString()}&param=${'x'.repeat(1_100_000)}`;
    expect((await notify(huge, 'POST')).status).toBe(413);
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const response = await panel.fetch('/pay/epay/notify', { method: 'POST', headers: { 'Content-Type': type }, body: '{"a"' });
      expect(response.status, type).toBeLessThan(500);
    }
    expect(await stateOf(panel, order)).toBe('unpaid');
  });

  it('a repeated one, in another order and many at once: one payment', async () => {
    const order = await placed();
    const sent = epay.notification(order.number);
    const turned = Object.fromEntries(Object.entries(sent).reverse());
    const before = await transactions();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => notify(index % 2 ? sent : turned, index % 3 ? 'GET' : 'POST')),
    );
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 12 }, () => 'success'));
    expect(await transactions()).toBe(before + 1);
    expect(await panel.get(Database).repository(SecondPayment).countBy({ orderId: order.id })).toBe(0);
  });

  it('a return settles nothing', async () => {
    const order = await placed();
    const query = new URLSearchParams(epay.notification(order.number)).toString();
    expect((await panel.fetch(`/pay/epay/return?${query}`, { redirect: 'manual' })).headers.get('location')).toContain(order.number);
    expect(
      (await panel.fetch(`/pay/epay/return?${query.replace('money=', 'money=1')}`, { redirect: 'manual' })).headers.get('location'),
    ).toBe('/');
    expect(await stateOf(panel, order)).toBe('unpaid');
  });
});

describe('unsigned statements of the platform are not trusted', () => {
  it.each<[string, object | string, RegExp]>([
    ['another order', { code: 1, status: 1, out_trade_no: 'other', trade_no: '1', money: '10.50' }, /另一个订单/],
    ['no amount', { code: 1, status: 1, out_trade_no: '#', trade_no: '1' }, /缺少金额/],
    ['a page', '<html>nothing here</html>', /不是易支付接口/],
    ['a refusal', { code: -3, msg: '商户密钥错误' }, /商户密钥错误/],
  ])('queried about an order: %s', async (_name, answer, words) => {
    const order = await placed();
    epay.answer = () =>
      typeof answer === 'string'
        ? answer
        : { ...answer, ...('out_trade_no' in answer && answer.out_trade_no === '#' && { out_trade_no: order.number }) };
    await expect(panel.get(GatewayCalls).query(order, 'epay')).rejects.toMatchObject({
      params: { reason: expect.stringMatching(words) as string },
    });
  });

  it('a response of the newer interface without the platform’s signature', async () => {
    await useRsa();
    const order = await placed();
    epay.answer = () => ({ code: 0, status: 1, out_trade_no: order.number, trade_no: '1', money: '10.50', sign: 'AAAA', sign_type: 'RSA' });
    await expect(panel.get(GatewayCalls).query(order, 'epay')).rejects.toMatchObject({ code: 'GATEWAY_FAILED' });
  });

  it('a refund with a lost response is not requested again', async () => {
    const order = await placed();
    await epay.pay(order.number);
    const request = { id: `L-${order.number}`, amount: 50, trade_no: '1', paid: 1_050, reason: '' };
    epay.answer = (path) => (path === '/api.php' ? '<html>502</html>' : null);
    expect(await panel.get(GatewayCalls).refund(order, 'epay', request)).toMatchObject({ state: 'unknown' });
    epay.answer = undefined;
    epay.requests = [];
    expect(await panel.get(GatewayCalls).refund(order, 'epay', request)).toMatchObject({
      state: 'unknown',
      msg: expect.stringContaining('没有得到答复') as string,
    });
    expect(epay.requests).toEqual([]);
  });

  it('a full refund with a lost response is known once the platform shows it', async () => {
    const order = await placed();
    await epay.pay(order.number);
    const request = { id: `W-${order.number}`, amount: 1_050, trade_no: '1', paid: 1_050, reason: '' };
    epay.answer = (path) => (path === '/api.php' ? '<html>502</html>' : null);
    expect(await panel.get(GatewayCalls).refund(order, 'epay', request)).toMatchObject({ state: 'unknown' });
    epay.answer = undefined;
    expect(await panel.get(GatewayCalls).refund(order, 'epay', request)).toMatchObject({ state: 'unknown' });
    epay.orders.get(order.number)!.status = '2';
    expect(await panel.get(GatewayCalls).refund(order, 'epay', request)).toMatchObject({ state: 'done' });
    expect(epay.orders.get(order.number)!.refunded).toEqual([]);
  });
});

describe('the settings', () => {
  const test = async () => (await panel.admin('zfcs', { slug: 'epay' })).code;

  it.each<[string, Fields, RegExp]>([
    ['right', {}, /设置正确.*不是 https/],
    ['another merchant', { pid: '1009' }, /不认识此商户.*检查商户 ID/],
    ['another key', { key: 'wrong' }, /拒绝了商户密钥.*重新复制/],
    ['a private key of somebody else', { sign_type: 'RSA', private_key: 'other', public_key: 'platform' }, /无法验证签名.*商户私钥/],
    ['the merchant’s own public key', { sign_type: 'RSA', private_key: 'own', public_key: 'other' }, /无法用所填平台公钥验证/],
    ['the newer interface, right', { sign_type: 'RSA', private_key: 'own', public_key: 'platform' }, /设置正确/],
  ])('are tested, and problems are described: %s', async (_name, fields, words) => {
    const { generateKeyPairSync } = await import('node:crypto');
    const other = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const keys: Record<string, string> = { own: FAKE_MERCHANT.privateKey, platform: FAKE_MERCHANT.publicKey };
    const { private_key, public_key, ...rest } = fields;
    const made = {
      ...(private_key && { private_key: keys[private_key] ?? other.privateKey }),
      ...(public_key && { public_key: keys[public_key] ?? other.publicKey }),
    };
    expect(await save({ ...rest, ...made })).toMatchObject({ success: true });
    expect(await test()).toMatch(words);
  });

  it('report an address that is no platform, does not respond, or is internal', async () => {
    epay.answer = () => '<html>welcome</html>';
    expect(await test()).toMatch(/不是易支付接口/);
    await save({ apiurl: 'http://127.0.0.1:1' });
    expect(await test()).toMatch(/无法连接/);
    await save({ apiurl: 'http://10.1.2.3' });
    expect(await test()).toMatch(/OUTBOUND_ALLOW/);
  });

  it('are rejected at the invalid field, and nothing is stored', async () => {
    for (const [fields, wrong] of [
      [{ apiurl: `https://pay.example.com/${'x'.repeat(500)}` }, { apiurl: '参数过长' }],
      [{ apiurl: 'ftp://pay.example.com' }, { apiurl: expect.any(String) as string }],
      [{ apiurl: 'https://pay.example.com/?a=b' }, { apiurl: expect.any(String) as string }],
      [{ pid: '' }, { pid: expect.any(String) as string }],
      [{ pid: '1'.repeat(61) }, { pid: '参数过长' }],
      [{ key: 'k'.repeat(201) }, { key: '参数过长' }],
      [{ sign_type: 'NONE' }, { sign_type: expect.any(String) as string }],
      [{ sign_type: 'RSA', private_key: 'no key' }, { private_key: expect.any(String) as string }],
      [{ public_key: FAKE_MERCHANT.privateKey }, { public_key: expect.any(String) as string }],
    ] as const)
      expect(await save(fields), JSON.stringify(fields).slice(0, 80)).toMatchObject({ success: false, fields: wrong });
    expect(await test()).toMatch(/设置正确/);
  });

  it('keep a key that is left empty, and never send it to another address', async () => {
    expect(await save({ key: '' })).toMatchObject({ success: true });
    expect(await test()).toMatch(/设置正确/);
    expect(await save({ apiurl: 'https://elsewhere.example.com', key: '' })).toMatchObject({
      success: false,
      fields: { key: expect.any(String) as string },
    });
  });

  it('never show, log or store a key in plain text', async () => {
    await useRsa();
    const page = await (await panel.adminFetch('/admin/settings?tab=epay')).text();
    expect(page).toContain(`${panel.url}/pay/epay/notify`);
    const rows = await panel.get(Database).query<{ key: string; value: string }>("SELECT * FROM SVC_plugin_option WHERE slug = 'epay'");
    const lines = await panel.get(Database).query('SELECT * FROM `SVC_log`');
    for (const secret of [FAKE_MERCHANT.key, FAKE_MERCHANT.privateKey.slice(40, 80)])
      for (const place of [page, JSON.stringify(rows), JSON.stringify(lines)]) expect(place).not.toContain(secret);
    expect(rows.find(({ key }) => key === 'key')!.value).toMatch(/^sealed:1:/);
  });
});

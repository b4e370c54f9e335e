/** The bundled plugin `balance`: orders are paid from credit only by their owners, once, and refunded once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Database } from '../../src/database/index.js';
import { EventDispatcher } from '../../src/hooks/index.js';
import { HostingService } from '../../src/hosting/index.js';
import { CREDIT_GATEWAY } from '../../src/ledger/credit-payments.js';
import { CreditEntry, LedgerCheck } from '../../src/ledger/index.js';
import { Order, Orders, PaymentRegistry, Refund, SecondPayment, Settlement } from '../../src/payment/index.js';

import { AccountVisitor } from '../support/account-visitor.js';
import { PanelClient } from '../support/panel-client.js';
import { TestPanel } from '../support/panel.js';
import { functionPlugin, writePlugin } from '../support/plugins.js';

const PASSWORD = 'secret-pass-1';
let panel: TestPanel;
let made = 0;

beforeAll(async () => {
  panel = await TestPanel.start();
  await panel.enable('balance');
});
afterAll(() => panel.close());

const host = async (rmb = ''): Promise<{ id: number; user: string; client: PanelClient }> => {
  made += 1;
  const user = `payer${String(made).padStart(3, '0')}`;
  const { id } = await panel.get(HostingService).provision({ node: 'local', user, password: PASSWORD, expiresOn: null }, 'admin');
  if (rmb !== '') await panel.admin('yetz', { user, rmb, yy: 'a gift' });
  return { id, user, client: await new PanelClient(panel.url).login('user', user, PASSWORD) };
};
const orderOf = async (id: number, amount: number, scene = 'hosting'): Promise<Order> =>
  panel.get(Orders).create({ user: 'buyer', owner: { account: id }, scene, name: 'Plan <b>', amount });
const send = async (client: PanelClient, ddh: string) => (await client.ajax('user', { gn: 'ddzf', ddh, ff: 'balance__balance' })).json;
const post = (client: PanelClient, number: string) =>
  client.send('/pay/balance/pay', { method: 'POST', body: new URLSearchParams({ out_trade_no: number }), redirect: 'manual' });
const credit = async (client: PanelClient) => (await client.ajax('user', { gn: 'wdye' })).json.rmb;
const statusOf = async ({ number }: Order) => (await panel.get(Orders).get(number))!.status;

describe('the gateway balance', () => {
  it('is the one the ledger check looks for', () => {
    expect(panel.get(PaymentRegistry).get(CREDIT_GATEWAY)?.owner).toBe('balance');
  });

  it('shows a page with the balance, and ten clicks pay once', async () => {
    const { id, client } = await host('20');
    const order = await orderOf(id, 1_500);
    const { url } = await send(client, order.number);
    expect(url).toBe(`/pay/balance/confirm?no=${order.number}`);
    const { text, status } = await client.send(String(url), { headers: { 'Accept-Language': 'en' } });
    expect([status, text.includes('¥20.00'), text.includes('¥15.00'), text.includes('Plan &lt;b&gt;')]).toEqual([200, true, true, true]);
    const clicks = await Promise.all(Array.from({ length: 10 }, () => post(client, order.number)));
    expect(new Set(clicks.map((click) => click.status))).toEqual(new Set([303]));
    expect(await credit(client)).toBe('5.00');
    expect(await statusOf(order)).toBe('paid');
    expect(await panel.get(Database).repository(SecondPayment).count()).toBe(0);
    expect((await post(client, order.number)).status).toBe(303);
    expect(await credit(client)).toBe('5.00');
  });

  it('deducts nothing if the balance is too low, and says how much is missing', async () => {
    const { id, client } = await host('1');
    const order = await orderOf(id, 150);
    const { url } = await send(client, order.number);
    expect((await client.send(String(url), { headers: { 'Accept-Language': 'en' } })).text).toContain('You are ¥0.50 short');
    expect((await post(client, order.number)).status).toBe(303);
    expect([await credit(client), await statusOf(order)]).toEqual(['1.00', 'unpaid']);
  });

  it('is for the owner only: anonymous visitors, other customers and other sites are refused', async () => {
    const [mine, other] = [await host('50'), await host('50')];
    const order = await orderOf(mine.id, 500);
    await send(mine.client, order.number);
    for (const number of [order.number, 'nonsense', "' OR 1=1 --", '']) {
      const { status, text } = await post(other.client, number);
      expect([number, status, text.includes('/pay/order/')]).toEqual([number, 404, false]);
    }
    const stranger = new PanelClient(panel.url);
    expect((await post(stranger, order.number)).text).toContain('/account/login');
    const foreign = await mine.client.send('/pay/balance/pay', {
      method: 'POST',
      headers: { Origin: 'https://evil.example' },
      body: new URLSearchParams({ out_trade_no: order.number }),
    });
    expect(foreign.status).toBe(403);
    expect([await statusOf(order), await credit(mine.client), await credit(other.client)]).toEqual(['unpaid', '50.00', '50.00']);
    // The order was never sent to this gateway, so the gateway cannot settle it.
    const unsent = await orderOf(mine.id, 500);
    expect((await post(mine.client, unsent.number)).status).toBe(409);
    expect([await statusOf(unsent), await credit(mine.client)]).toEqual(['unpaid', '50.00']);
  });

  it('does not pay top-ups, wherever they are sent from', async () => {
    const { id, client } = await host('50');
    const order = await orderOf(id, 500, 'yecz');
    expect(await send(client, order.number)).toMatchObject({ success: false, err: 'E_PAY' });
    expect((await post(client, order.number)).status).toBe(404);
    expect([await statusOf(order), await credit(client)]).toEqual(['unpaid', '50.00']);
  });

  it('refunds to the credit that paid, once per refund', async () => {
    const { id, client } = await host('10');
    const order = await orderOf(id, 1_000);
    await send(client, order.number);
    await post(client, order.number);
    const back = { id: String(order.id), qd: 'gateway', yy: 'too slow' };
    expect(await panel.admin('ddtk', { ...back, rmb: '4' })).toMatchObject({ success: true, zt: 'done' });
    const said = await Promise.all([1, 2, 3].map(() => panel.admin('ddtk', { ...back, rmb: '6' })));
    expect(said.filter(({ success }) => success)).toHaveLength(1);
    expect([await credit(client), await statusOf(order)]).toEqual(['10.00', 'refunded']);
    expect((await panel.get(Database).repository(Refund).findBy({ orderId: order.id })).map(({ state }) => state)).toEqual([
      'done',
      'done',
    ]);
  });

  it('creates top-ups for API clients, once per request, with the error messages they know', async () => {
    await panel.enable('sandbox').catch(() => undefined);
    const { client } = await host('3');
    const ask = async (fields: Record<string, string>, by = client) =>
      JSON.parse((await by.send('/balance/api/create_recharge', { method: 'POST', body: new URLSearchParams(fields) })).text) as Record<
        string,
        string
      >;
    const type = 'sandbox__test';
    for (const [fields, code] of [
      [{ amount: '0.99', type }, '充值金额至少 1 元'],
      [{ amount: '', type }, '充值金额至少 1 元'],
      [{ amount: '-5', type }, '充值金额至少 1 元'],
      [{ amount: '50000.01', type }, '单次充值金额不能超过 50000 元'],
      [{ amount: '10', type: '' }, '请选择有效的支付方式'],
      [{ amount: '10', type: 'epay__alipay' }, '请选择有效的支付方式'],
      [{ amount: '10', type: 'balance__balance' }, '充值订单不能使用余额支付'],
    ] as const)
      expect(await ask(fields), JSON.stringify(fields)).toEqual({ code });
    expect(await ask({ amount: '10', type }, new PanelClient(panel.url))).toEqual({ code: 'not_login', logged_in: false });
    const answers = await Promise.all([1, 2, 3].map(() => ask({ amount: '10', type, request_id: 'once' })));
    expect(new Set(answers.map(({ out_trade_no }) => out_trade_no)).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: 'ok', html: expect.stringContaining('/pay/sandbox/checkout') as string });
    expect(await panel.get(Orders).get(answers[0]!.out_trade_no!)).toMatchObject({ scene: 'yecz', amount: 1_000, status: 'unpaid' });
  });

  it('shows its pages to signed-in users and tops up', async () => {
    const { client } = await host('3');
    const { json } = await client.ajax('user', { gn: 'wdye' });
    expect(json.rmb).toBe('3.00');
    const info = JSON.parse((await client.send('/balance/api/info')).text) as Record<string, unknown>;
    expect(info).toMatchObject({ code: 'ok', balance_cents: 300, balance_yuan: '3.00', logs: [{ amount: 300, kind: 'adjustment' }] });
    expect(JSON.parse((await new PanelClient(panel.url).send('/balance/api/info')).text)).toEqual({ code: 'not_login', logged_in: false });
    const top = (amount: string) =>
      client.send('/balance/recharge', { method: 'POST', body: new URLSearchParams({ amount }), redirect: 'manual' });
    expect((await top('12.5')).status).toBe(303);
    for (const amount of ['', '0.5', '-1', '1e3', '60000'])
      expect([amount, (await top(amount)).text.includes('role="alert"')]).toEqual([amount, true]);
  });

  it('links from a paid top-up to the customer’s credit, and to the host owner’s order', async () => {
    for (const slug of ['sandbox', 'accounts']) await panel.enable(slug).catch(() => undefined);
    const buyer = new AccountVisitor(panel);
    expect(await buyer.api('register', { username: 'saver_1', password: PASSWORD, password2: PASSWORD })).toMatchObject({ code: 'ok' });
    const { client } = await host();
    const last = async (): Promise<Order> =>
      (
        await panel
          .get(Database)
          .repository(Order)
          .find({ order: { id: 'DESC' }, take: 1 })
      )[0]!;
    const paid = async (): Promise<string[]> => {
      const { id, number, amount, accessKey } = await last();
      await panel.get(Orders).chooseType(id, 'sandbox__test');
      await panel.get(Settlement).settle(number, 'sandbox', { trade_no: number, amount });
      await panel.get(EventDispatcher).idle();
      const page = await panel.fetch(`/pay/order/${number}?k=${accessKey}&done=1`, { headers: { 'Accept-Language': 'en' } });
      return [...(await page.text()).matchAll(/class="btn btn-primary flex-fill" href="([^"]*)">([^<]*)</g)].flatMap(([, ...link]) => link);
    };
    await buyer.send('POST', '/balance/recharge', { amount: '12' });
    expect(await paid()).toEqual(['/balance', 'View your credit']);
    expect(await buyer.page('/balance')).toContain('12.00');
    await buyer.send('POST', '/balance/api/create_recharge', { amount: '13', type: 'sandbox__test' });
    expect(await paid()).toEqual(['/balance', 'View your credit']);
    await client.send('/balance/recharge', { method: 'POST', body: new URLSearchParams({ amount: '14' }) });
    const { number } = await last();
    expect(await paid()).toEqual([`/user/order?ddh=${number}`, 'View the order']);
  });

  it('matches the orders', async () => {
    expect(await panel.get(LedgerCheck).run()).toBe(0);
    expect(await panel.get(Database).repository(CreditEntry).count()).toBeGreaterThan(10);
  });
});

it('credit requires the permission', async () => {
  const code = `svc.svc_register_ajax('admin', 'p_thief_take', async () => {
    try { await svc.credit.pay('1', { account: 1 }); return { code: 'took' }; } catch (error) { return { code: error.code }; }
  }, 'admin');`;
  writePlugin(panel.dataDir, 'thief', functionPlugin(code));
  await panel.enable('thief');
  expect(await panel.admin('p_thief_take')).toMatchObject({ code: 'PERMISSION_MISSING' });
});

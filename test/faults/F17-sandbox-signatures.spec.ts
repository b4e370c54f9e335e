import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DemoVisitor } from '../../src/cli/demo-visitor.js';
import { Database } from '../../src/database/index.js';
import { DurableEvent } from '../../src/hooks/index.js';
import { Dispatch, Orders, type Order } from '../../src/payment/index.js';
import { PluginOptions } from '../../src/plugin-registry/index.js';
import { TestPanel } from '../support/panel.js';

describe('F17 signatures of the sandbox', () => {
  let panel: TestPanel;
  let key: string;
  beforeAll(async () => {
    panel = await TestPanel.start();
    await panel.enable('sandbox');
    key = String((await panel.get(PluginOptions).all('sandbox')).signing_key);
  });
  afterAll(() => panel.close());

  const create = (): Promise<Order> => panel.get(Orders).create({ user: 'buyer', scene: 's', name: 'n', amount: 1_250 });
  async function checkoutOf(order: Order): Promise<URLSearchParams> {
    const link = await panel.get(Dispatch).dispatch(order.id, 'sandbox__test');
    return new URL(String(link), panel.url).searchParams;
  }
  const signed = (purpose: string, fields: Record<string, string>): URLSearchParams => {
    const text = Object.keys(fields)
      .filter((name) => fields[name] !== '')
      .sort()
      .map((name) => `${name}=${fields[name]}`)
      .join('&');
    return new URLSearchParams({ ...fields, sign: createHmac('sha256', key).update(`${purpose}\n${text}`).digest('hex') });
  };
  const notify = async (fields: URLSearchParams): Promise<string> =>
    (await panel.fetch('/pay/sandbox/notify', { method: 'POST', body: fields })).text();
  const statusOf = async (order: Order): Promise<string> => (await panel.get(Orders).get(order.id))!.status;
  const paid = (order: Order): Record<string, string> => ({
    out_trade_no: order.number,
    trade_no: `SB${order.number}`,
    money: '12.50',
    trade_status: 'TRADE_SUCCESS',
  });

  it("are for one purpose: the values in the buyer's address bar settle nothing", async () => {
    const order = await create();
    const checkout = await checkoutOf(order);
    expect(await notify(checkout)).toBe('fail');
    expect(await (await panel.fetch(`/pay/sandbox/notify?${checkout}`)).text()).toBe('fail');
    expect(await notify(signed('checkout', paid(order)))).toBe('fail');
    expect(await notify(signed('return', paid(order)))).toBe('fail');
    expect((await panel.fetch(`/pay/sandbox/checkout?${signed('notify', Object.fromEntries(checkout))}`)).status).toBe(400);
    expect(await statusOf(order)).toBe('unpaid');
    expect(await notify(signed('notify', paid(order)))).toBe('success');
    expect(await statusOf(order)).toBe('paid');
  });

  it.each([
    ['closed', { trade_status: 'TRADE_CLOSED' }],
    ['another state', { trade_status: 'WAIT_BUYER_PAY' }],
    ['no state', { trade_status: '' }],
    ['no amount', { money: '' }],
    ['an amount that is none', { money: 'NaN' }],
    ['less', { money: '12.49' }],
    ['no transaction', { trade_no: '' }],
    ['another order', { out_trade_no: '20000101000000000000' }],
  ])('do not turn %s into a payment', async (_what, wrong) => {
    const order = await create();
    await checkoutOf(order);
    expect(await notify(signed('notify', { ...paid(order), ...wrong }))).toBe('fail');
    expect(await statusOf(order)).toBe('unpaid');
  });

  it('have no effect when sent again, or for another order', async () => {
    const [order, other] = [await create(), await create()];
    for (const one of [order, other]) await checkoutOf(one);
    const fields = signed('notify', paid(order));
    for (let time = 1; time <= 3; time += 1) expect(await notify(fields)).toBe('success');
    expect(
      await panel
        .get(Database)
        .repository(DurableEvent)
        .countBy({ subject: `order:${order.id}` }),
    ).toBe(1);
    const replayed = new URLSearchParams(fields);
    replayed.set('out_trade_no', other.number);
    expect(await notify(replayed)).toBe('fail');
    expect(await statusOf(other)).toBe('unpaid');
  });

  it('lead the buyer back to the order, and nobody else', async () => {
    const order = await create();
    const visitor = new DemoVisitor(panel.url);
    const back = await visitor.redirect('POST', '/pay/sandbox/checkout', {
      ...Object.fromEntries(await checkoutOf(order)),
      decision: 'cancel',
    });
    expect((await panel.fetch(back.replace(panel.url, ''))).headers.get('location')).toContain(
      `/pay/order/${order.number}?k=${order.accessKey}`,
    );
    const forged = await panel.fetch(`/pay/sandbox/return?out_trade_no=${order.number}&sign=${'0'.repeat(64)}`);
    expect(forged.headers.get('location')).not.toContain(order.accessKey);
    expect(await statusOf(order)).toBe('unpaid');
  });
});

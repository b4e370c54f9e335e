import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { Clock } from '../../common/index.js';
import type { Database } from '../../database/index.js';

import { OrderNumbers } from './order-number.js';
import type { NewOrder } from './order-rules.js';

let database: Database;
let place: TestPlace;
let parts: PaymentParts;
let dispose: () => Promise<void>;

class StoppedClock extends Clock {
  override now(): Date {
    return new Date('2026-11-21T16:05:09.123Z');
  }
}

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
  parts = paymentParts(database, place.config, { clock: new StoppedClock() });
});
afterAll(() => dispose());

const request = (extra: Partial<NewOrder> = {}): NewOrder => ({
  user: 'buyer',
  scene: 'hosting',
  name: '主机 <b>套餐</b>',
  amount: 1_250,
  type: 'epay__alipay',
  context: { plan: 7 },
  ip: '203.0.113.9',
  ...extra,
});

describe('creating', () => {
  it("stores the input under a number in the panel's time", async () => {
    const made = await parts.orders.create(request());
    expect(made.number).toMatch(/^20261122000509\d{6}$/);
    expect(made.accessKey).toMatch(/^[\w-]{32}$/);
    const read = await parts.orders.get(made.id);
    expect(read).toEqual(made);
    expect(await parts.orders.get(made.number)).toEqual(made);
    expect(read).toMatchObject({ status: 'unpaid', amount: 1_250, context: { plan: 7 }, name: '主机 <b>套餐</b>', paidAt: null });
    expect(await parts.orders.get(made.id + 1)).toBeNull();
    expect(await parts.orders.get(String(made.id))).toBeNull();
  });

  it('gives 1,000 orders within one second 1,000 numbers', async () => {
    const made = await Promise.all(Array.from({ length: 1_000 }, () => parts.orders.create(request())));
    expect(new Set(made.map((order) => order.number)).size).toBe(1_000);
    expect(new Set(made.map((order) => order.accessKey)).size).toBe(1_000);
  });

  it('tries another number if one is taken, and fails with a message if all are', async () => {
    class FewNumbers extends OrderNumbers {
      private made = 0;
      override next(): string {
        this.made += 1;
        return `few-${Math.min(3, Math.floor(this.made / 3))}`;
      }
    }
    const few = paymentParts(database, place.config, { numbers: new FewNumbers(place.config) });
    const numbers = [];
    for (let i = 0; i < 4; i += 1) numbers.push((await few.orders.create(request())).number);
    expect(new Set(numbers)).toEqual(new Set(['few-0', 'few-1', 'few-2', 'few-3']));
    await expect(few.orders.create(request())).rejects.toMatchObject({ code: 'ORDER_NUMBER_TAKEN' });
  });

  it.each([
    [{ user: '' }, ['user']],
    [{ user: 'x'.repeat(65) }, ['user']],
    [{ scene: 'Hosting' }, ['scene']],
    [{ scene: 'a'.repeat(33) }, ['scene']],
    [{ name: '  ' }, ['name']],
    [{ name: '字'.repeat(128) }, ['name']],
    [{ amount: 0 }, ['amount']],
    [{ amount: 1.5 }, ['amount']],
    [{ amount: 100_000_000_000 }, ['amount']],
    [{ amount: NaN }, ['amount']],
    [{ type: 'alipay' }, ['type']],
    [{ type: `${'s'.repeat(64)}__m` }, ['type']],
    [{ context: [1] as never }, ['context']],
    [{ context: { big: 'x'.repeat(17_000) } }, ['context']],
    [{ context: { big: 1n } }, ['context']],
    [{ user: undefined as never, amount: '12' as never }, ['user', 'amount']],
  ])('refuses %o and names %j', async (wrong, fields) => {
    const error = await parts.orders.create(request(wrong)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ORDER_INVALID' });
    expect(Object.keys((error as { fields: object }).fields)).toEqual(fields);
  });

  it('accepts the limits of valid input', async () => {
    const made = await parts.orders.create(
      request({ user: '😀'.repeat(64), name: '字'.repeat(127), amount: 99_999_999_999, type: '', scene: 'a_1', context: undefined }),
    );
    expect(await parts.orders.get(made.id)).toMatchObject({ user: '😀'.repeat(64), amount: 99_999_999_999, type: '', context: {} });
  });
});

describe("an order's state", () => {
  it('allows choosing the type and closing only in valid states', async () => {
    const { id } = await parts.orders.create(request({ type: '' }));
    expect(await parts.orders.chooseType(id, 'nonsense')).toBe(false);
    expect(await parts.orders.chooseType(id, 'bank__wire')).toBe(true);
    expect(await parts.orders.close(id)).toBe(true);
    expect(await parts.orders.close(id)).toBe(false);
    expect(await parts.orders.chooseType(id, 'epay__alipay')).toBe(true);
    const order = (await parts.orders.get(id))!;
    expect(order).toMatchObject({ type: 'epay__alipay', status: 'closed' });
    expect((await parts.settlement.settle(order.number, 'epay')).ok).toBe(true);
    expect(await parts.orders.chooseType(id, 'bank__wire')).toBe(false);
    expect(await parts.orders.close(id)).toBe(false);
  });

  it("is exposed in the contract's record, with callback URLs at the current base URL", async () => {
    const order = await parts.orders.create(request());
    parts.baseUrl.listeningOn(4_321);
    expect(parts.orders.toOrderRecord(order)).toEqual({
      id: order.id,
      out_trade_no: order.number,
      ddh: order.number,
      name: '主机 <b>套餐</b>',
      money: '12.50',
      amount: 1_250,
      type: 'epay__alipay',
      scene: 'hosting',
      user: 'buyer',
      siteurl: 'http://127.0.0.1:4321',
      notify_url: 'http://127.0.0.1:4321/pay/epay/notify',
      return_url: 'http://127.0.0.1:4321/pay/epay/return',
      context: { plan: 7 },
    });
    expect(parts.orders.toOrderSummary(order)).toMatchObject({ status: 'unpaid', createdAt: '2026-11-21T16:05:09.123Z', paidAt: null });
    // The key of the pay page goes to whoever makes the order, never to gateways and listeners.
    expect(JSON.stringify(parts.orders.toOrderRecord(order))).not.toContain(order.accessKey);
    expect(parts.orders.toOrderSummary(order).pay_url).toBe(`http://127.0.0.1:4321/pay/order/${order.number}?k=${order.accessKey}`);
  });
});

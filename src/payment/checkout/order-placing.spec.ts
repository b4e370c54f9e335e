import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { insertCustomer } from '../../../test/support/customers.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { Coupon, CouponShare, CouponUses, type CouponText } from '../../coupons/index.js';
import type { Database } from '../../database/index.js';
import { DurableEvent } from '../../hooks/index.js';
import { PaymentTransaction, type Order } from '../entities/index.js';
import { OrderRemoval } from '../orders/order-removal.js';

import type { PlacedOrder } from './order-placing.js';

let database: Database;
let parts: PaymentParts;
let dispose: () => Promise<void>;
const clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config, { clock });
  // Who the orders are for: ids 1 to 12.
  for (let id = 1; id <= 12; id += 1) expect(await insertCustomer(database, `buyer${id}`)).toBe(id);
});
afterAll(() => dispose());

const SALE: CouponText = {
  code: '',
  name: '',
  kind: 'fixed',
  value: 300,
  products: [],
  perCustomer: null,
  most: null,
  least: 0,
  fromOn: null,
  untilOn: null,
};
let made = 0;
/** A coupon of its own. */
async function coupon(terms: Partial<CouponText> = {}): Promise<{ id: number; code: string }> {
  const code = `SALE${(made += 1)}`;
  return { id: await parts.coupons.add({ ...SALE, code, ...terms }), code };
}
const wish = (code: string, more: Partial<PlacedOrder> = {}): PlacedOrder => ({
  user: 'buyer01',
  owner: { customer: 1 },
  scene: 'hosting',
  name: 'Plan',
  amount: 990,
  coupon: code,
  ...more,
});
const place = (code: string, more: Partial<PlacedOrder> = {}): Promise<Order> => parts.placing.place(wish(code, more));
const used = async (id: number): Promise<number> => (await database.repository(Coupon).findOneByOrFail({ id })).used;
const close = ({ id }: Order): Promise<boolean> => parts.closing.close(id, { source: 'user' });
const settle = async ({ id, number, amount }: Order) => {
  await parts.orders.chooseType(id, 'bank__a');
  return parts.settlement.settle(number, 'bank', { trade_no: `T${id}`, amount });
};

describe('an order with a coupon', () => {
  it('is discounted, keeps the original price and is settled for the rest', async () => {
    const { id, code } = await coupon();
    const order = await place(` ${code.toLowerCase()} `);
    expect(order).toMatchObject({ amount: 690, discount: 300, coupon: code, status: 'unpaid' });
    expect(await parts.orders.get(order.id)).toEqual(order);
    expect(parts.orders.toOrderRecord(order)).toMatchObject({ amount: 690, money: '6.90' });
    expect(await used(id)).toBe(1);
    await parts.orders.chooseType(order.id, 'bank__a');
    expect(await parts.settlement.settle(order.number, 'bank', { trade_no: 'full price', amount: 990 })).toMatchObject({ ok: false });
    expect(await settle(order)).toMatchObject({ ok: true, already: false });
    expect(await settle(order)).toMatchObject({ ok: true, already: true });
    expect(await used(id)).toBe(1);
    await expect(
      parts.refunds.make({ orderId: order.id, amount: 691, way: 'hand', reason: 'x', actor: 'boss' }, 'en'),
    ).rejects.toMatchObject({ code: 'REFUND_TOO_MUCH' });
    await parts.refunds.make({ orderId: order.id, amount: 690, way: 'hand', reason: 'x', actor: 'boss' }, 'en');
    expect(await used(id)).toBe(1);
  });

  it('never costs less than nothing; fractions of a fen are not discounted', async () => {
    const percent = await coupon({ kind: 'percent', value: 33 });
    expect(await place(percent.code, { amount: 101 })).toMatchObject({ amount: 68, discount: 33 });
    await expect(place(percent.code, { amount: 3 })).rejects.toMatchObject({ code: 'COUPON_TOO_SMALL' });
    for (const { code } of [await coupon({ value: 5_000 }), await coupon({ kind: 'percent', value: 100 })]) {
      const order = await place(code);
      expect(order).toMatchObject({ amount: 0, discount: 990, status: 'paid', type: 'coupon__full' });
      expect(await database.repository(PaymentTransaction).findBy({ orderId: order.id })).toMatchObject([{ gateway: 'coupon', amount: 0 }]);
      expect(await database.repository(DurableEvent).countBy({ hook: 'order.paid', subject: `order:${order.id}` })).toBe(1);
      expect(await close(order)).toBe(false);
      await expect(parts.refunds.make({ orderId: order.id, amount: 1, way: 'hand', reason: 'x', actor: 'b' }, 'en')).rejects.toMatchObject({
        code: 'REFUND_TOO_MUCH',
      });
    }
  });

  it('is rejected with the reason if the coupon does not apply, and is not created', async () => {
    const before = (await parts.list.page({ page: 1, limit: 1, sortOrder: 'desc' } as never)).total;
    const off = await coupon();
    await parts.coupons.turn(off.id, false);
    const refusals: [string, string, Partial<PlacedOrder>?][] = [
      ['NO-SUCH', 'COUPON_UNKNOWN'],
      ['x'.repeat(5_000), 'COUPON_UNKNOWN'],
      ["' OR 1=1 --", 'COUPON_UNKNOWN'],
      [off.code, 'COUPON_OFF'],
      [(await coupon({ fromOn: '2026-11-22' })).code, 'COUPON_NOT_YET'],
      [(await coupon({ untilOn: '2026-11-20' })).code, 'COUPON_OVER'],
      [(await coupon({ least: 991 })).code, 'COUPON_TOO_SMALL'],
      [(await coupon({ products: ['shop:1'] })).code, 'COUPON_OTHER_PRODUCT'],
      [(await coupon({ products: ['shop:1'] })).code, 'COUPON_OTHER_PRODUCT', { product: 'shop:10' }],
      [(await coupon({ perCustomer: 1 })).code, 'COUPON_SIGN_IN', { owner: null }],
    ];
    for (const [code, reason, more] of refusals) await expect(place(code, more)).rejects.toMatchObject({ code: reason });
    await expect(place('ANY', { amount: 0 })).rejects.toMatchObject({ code: 'ORDER_INVALID' });
    expect((await parts.list.page({ page: 1, limit: 1, sortOrder: 'desc' } as never)).total).toBe(before);
    for (const terms of [{ fromOn: '2026-11-21', untilOn: '2026-11-21' }, { least: 990 }, { products: ['shop:1'] }])
      expect((await place((await coupon(terms)).code, { product: 'shop:1' })).discount).toBe(300);
  });

  it('gives the use back once when it is closed or deleted', async () => {
    const { id, code } = await coupon({ most: 1, perCustomer: 1 });
    const first = await place(code);
    await expect(place(code)).rejects.toMatchObject({ code: 'COUPON_USED_UP' });
    await Promise.all([close(first), close(first), close(first)]);
    expect(await used(id)).toBe(0);
    const second = await place(code);
    await new OrderRemoval(database, clock, parts.orders, new CouponUses(database, clock)).delete(second.id);
    expect(await used(id)).toBe(0);
    const third = await place(code);
    expect(await used(id)).toBe(1);
    // Paid late: settled past the end.
    expect(await settle(first)).toMatchObject({ ok: true, already: false });
    expect(await used(id)).toBe(2);
    await close(third);
    expect(await used(id)).toBe(1);
    await expect(place(code)).rejects.toMatchObject({ code: 'COUPON_USED_UP' });
  });

  it('is created once per request, and takes one use', async () => {
    const { id, code } = await coupon({ most: 1 });
    const orders = await Promise.all(Array.from({ length: 8 }, () => place(code, { requestKey: `request-${id}` })));
    expect(new Set(orders.map((order) => order.id)).size).toBe(1);
    expect(orders[0]!.discount).toBe(300);
    expect(await used(id)).toBe(1);
  });

  it('can be deleted while unused, and changed at any time', async () => {
    const [fresh, taken] = [await coupon(), await coupon()];
    const order = await place(taken.code);
    await parts.coupons.delete(fresh.id);
    await expect(place(fresh.code)).rejects.toMatchObject({ code: 'COUPON_UNKNOWN' });
    await close(order);
    await expect(parts.coupons.delete(taken.id)).rejects.toMatchObject({ code: 'WAS_USED' });
    await expect(parts.coupons.delete(taken.id + 1_000)).rejects.toMatchObject({ code: 'MISSING' });
    await parts.coupons.change(taken.id, { ...SALE, code: taken.code, value: 100 }, undefined);
    expect((await place(taken.code)).discount).toBe(100);
    expect((await parts.orders.get(order.id))!.discount).toBe(300);
    await expect(parts.coupons.add({ ...SALE, code: taken.code })).rejects.toMatchObject({ code: 'CODE_TAKEN' });
  });

  it('does not accept a price computed before the coupon changed', async () => {
    const { id, code } = await coupon();
    const uses = new CouponUses(database, clock);
    const row = await database.repository(Coupon).findOneByOrFail({ id });
    await parts.coupons.change(id, { ...SALE, code, value: 1 }, undefined);
    const offer = { coupon: row, buyer: 'customer:1', discount: 300 };
    expect(await database.transaction(() => uses.take(offer, 1_000_000 + id))).toBe(false);
    expect(await used(id)).toBe(0);
    await expect(uses.take(offer, 1)).rejects.toThrow('in the transaction of its order');
  });

  it('counts open and paid orders, and revenue', async () => {
    const { id, code } = await coupon({ kind: 'percent', value: 50 });
    const [open, paid, closed] = [await place(code), await place(code), await place(code)];
    await settle(paid);
    await close(closed);
    expect(open.status).toBe('unpaid');
    expect(await parts.coupons.figuresOf(id)).toEqual({ open: 1, paid: 1, given: 495, earned: 495 });
  });
});

describe('concurrent buyers', () => {
  it('for the last use: one gets it, the others no order', async () => {
    const { id, code } = await coupon({ most: 3 });
    const tries = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => place(code, { owner: { customer: n + 1 } })));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const result of tries) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'COUPON_USED_UP' });
    expect(await used(id)).toBe(3);
  });

  it("as one customer with many windows: no more than the customer's limit", async () => {
    const { id, code } = await coupon({ most: 50, perCustomer: 2 });
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => place(code)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const result of tries) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'COUPON_USED_BY_YOU' });
    expect(await used(id)).toBe(2);
    expect(await database.repository(CouponShare).findBy({ couponId: id })).toMatchObject([{ who: 'customer:1', used: 2 }]);
  });

  it("inside a plugin's transaction that continues: a rejection leaves no trace", async () => {
    const { id, code } = await coupon({ most: 1 });
    await place(code);
    const count = () => parts.list.page({ page: 1, limit: 1, sortOrder: 'desc' } as never);
    const before = (await count()).total;
    await database.transaction(async () => {
      await place(code).catch(() => undefined);
    });
    expect((await count()).total).toBe(before);
    expect(await used(id)).toBe(1);
    await expect(
      database.transaction(async () => {
        const other = await place((await coupon()).code);
        throw new Error(`no ${other.number}`);
      }),
    ).rejects.toThrow('no ');
    expect((await count()).total).toBe(before);
  });

  it('closing and paying one order: the use counts exactly if it ends paid', async () => {
    const { id, code } = await coupon();
    for (let round = 0; round < 6; round += 1) {
      const order = await place(code);
      await Promise.all(round % 2 === 0 ? [close(order), settle(order), close(order)] : [settle(order), close(order), settle(order)]);
      expect((await parts.orders.get(order.id))!.status).toBe('paid');
      expect(await used(id)).toBe(round + 1);
    }
  });
});

describe('whatever happens to orders, in any order', () => {
  it('the counted uses equal the open and paid orders', async () => {
    const step = fc.record({ what: fc.constantFrom('place', 'place', 'close', 'settle', 'remove'), which: fc.nat(5), who: fc.nat(2) });
    const removal = new OrderRemoval(database, clock, parts.orders, new CouponUses(database, clock));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 18 }),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
        fc.option(fc.integer({ min: 1, max: 2 }), { nil: null }),
        fc.boolean(),
        async (steps, most, perCustomer, atOnce) => {
          const { id, code } = await coupon({ most, perCustomer });
          const orders: Order[] = [];
          const run = async ({ what, which, who }: (typeof steps)[number]): Promise<void> => {
            const order = orders[which % Math.max(1, orders.length)];
            if (what === 'place') {
              const now = await used(id);
              const placed = await place(code, { owner: { customer: who + 1 } }).catch((error: { code: string }) => error.code);
              if (typeof placed !== 'string') orders.push(placed);
              else if (!atOnce && placed === 'COUPON_USED_UP') expect(now).toBeGreaterThanOrEqual(most!);
            } else if (order && what === 'close') await close(order);
            else if (order && what === 'settle') await settle(order);
            else if (order) await removal.delete(order.id).catch(() => undefined);
          };
          if (atOnce) for (let at = 0; at < steps.length; at += 3) await Promise.all(steps.slice(at, at + 3).map(run));
          else for (const one of steps) await run(one);
          const present = await Promise.all(orders.map(({ id: order }) => parts.orders.get(order)));
          const counted = present.filter((order) => order && order.status !== 'closed');
          expect(await used(id)).toBe(counted.length);
          const shares = await database.repository(CouponShare).findBy({ couponId: id });
          expect(shares.reduce((sum, share) => sum + share.used, 0)).toBe(counted.length);
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);
});

import { afterAll, beforeAll, expect, it } from 'vitest';

import { testCall } from '../../../test/support/calls.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { ZonedClock } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { CouponUses } from '../../coupons/index.js';
import { DayRange } from '../day-range.js';
import { OrderHistoryEntry, OrderDispatch, type Order } from '../entities/index.js';
import { OrderRemovalOperations } from '../order-operations/order-removal.operations.js';
import { IncomeDays } from '../statistics/income-days.js';
import { OrderStatisticsOperations } from '../statistics/order-statistics.operations.js';

import { OrderRemoval } from './order-removal.js';
import { OrderSums } from './order-sums.js';

const DAY = 24 * 3_600_000;

let database: Database;
let parts: PaymentParts;
let operations: OrderRemovalOperations;
let statistics: OrderStatisticsOperations;
let dispose: () => Promise<void>;
const clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));

const boss = testCall({ admin: { id: 1, username: 'boss' }, locale: 'en' });
beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config, { clock });
  operations = new OrderRemovalOperations(new OrderRemoval(database, clock, parts.orders, new CouponUses(database, clock)));
  const { config } = made.place;
  statistics = new OrderStatisticsOperations(
    database,
    new DayRange(new ZonedClock(clock, config)),
    new IncomeDays(database, new ZonedClock(clock, config)),
    parts.methods,
    new OrderSums(database),
  );
});
afterAll(() => dispose());

const make = (amount = 990): Promise<Order> => parts.orders.create({ user: 'b', scene: 'hosting', name: 'Plan', amount, type: 'bank__a' });
const pay = ({ id, number, amount }: Order) => parts.settlement.settle(number, 'bank', { trade_no: `T${id}`, amount });
const isThere = async ({ id }: Order): Promise<boolean> => (await parts.orders.get(id)) !== null;

it('deletes unpaid orders with their history, but none that were or may still be paid', async () => {
  const [open, closed, paid, refunded, sent] = [await make(), await make(), await make(), await make(), await make()];
  await parts.closing.close(closed.id, { source: 'cron' });
  await pay(paid);
  await pay(refunded);
  await parts.refunds.make({ orderId: refunded.id, amount: 990, way: 'hand', reason: 'x', actor: 'boss' }, 'en');
  await parts.orders.chooseType(sent.id, 'bank__a');
  await parts.closing.close(sent.id, { source: 'user' });
  for (const order of [paid, refunded])
    await expect(operations.deleteOne({ id: order.id })).rejects.toMatchObject({ code: 'ORDER_WAS_PAID' });
  await expect(operations.deleteOne({ id: sent.id })).rejects.toMatchObject({ code: 'ORDER_MAY_BE_PAID' });
  await operations.deleteOne({ id: open.id });
  await expect(operations.deleteOne({ id: open.id })).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  const idsz = JSON.stringify([closed, paid, refunded, sent, open].map(({ id }) => id));
  expect((await operations.deleteMany({ idsz })).extras).toEqual({ n: 1, left: 4 });
  await expect(operations.deleteMany({ idsz })).rejects.toMatchObject({ code: 'NOTHING_DELETED' });
  await expect(operations.deleteMany({ idsz: 'nonsense' })).rejects.toMatchObject({ code: 'NOTHING_DELETED' });
  expect(await Promise.all([open, closed, paid, refunded, sent].map(isThere))).toEqual([false, false, true, true, true]);
  clock.advance(2 * DAY);
  await operations.deleteOne({ id: sent.id });
  for (const entity of [OrderHistoryEntry, OrderDispatch]) expect(await database.repository(entity).countBy({ orderId: sent.id })).toBe(0);
});

it('never loses a payment that arrives while the order is deleted', async () => {
  for (let n = 0; n < 10; n += 1) {
    const order = await make();
    const [deleted, settled] = await Promise.all([
      operations.deleteOne({ id: order.id }).then(
        () => true,
        () => false,
      ),
      pay(order),
    ]);
    expect([deleted, settled.ok, await isThere(order)]).toEqual([deleted, !deleted, !deleted]);
  }
});

it('sums payments by day, gateway and kind consistently', async () => {
  clock.set(new Date('2027-03-10T04:00:00Z'));
  const amounts = [1, 33, 990, 12_345];
  for (const amount of amounts) {
    await pay(await make(amount));
    clock.advance(DAY);
  }
  const found = (await statistics.show({ from: '2027-03-01', to: '2027-03-31' }, boss)).extras as Record<
    string,
    { n: number; rmb: string }
  > & {
    days: { day: string; n: number; rmb: string }[];
    gateways: object[];
    scenes: object[];
  };
  const total = { n: 4, rmb: '133.69' };
  expect(found.paid).toEqual(total);
  expect(found.gateways).toEqual([{ jk: 'bank', jkmc: 'bank', ...total }]);
  expect(found.scenes).toEqual([{ scene: 'hosting', ...total }]);
  expect(found.days).toHaveLength(31);
  expect(found.days.filter(({ n }) => n > 0).map(({ day, rmb }) => [day, rmb])).toEqual([
    ['2027-03-10', '0.01'],
    ['2027-03-11', '0.33'],
    ['2027-03-12', '9.90'],
    ['2027-03-13', '123.45'],
  ]);
  expect((await statistics.show({ from: '2027-03-11', to: '2027-03-11' }, boss)).extras).toMatchObject({ paid: { n: 1, rmb: '0.33' } });
  expect((await statistics.show({ from: '2026-03-12', to: '2027-03-12' }, boss)).extras).toMatchObject({
    paid: { rmb: expect.any(String) as string },
  });
  await expect(statistics.show({ from: '2027-03-11', to: '2027-03-10' }, boss)).rejects.toMatchObject({ code: 'RANGE_MALFORMED' });
  await expect(statistics.show({ from: '<b>' }, boss)).rejects.toMatchObject({ code: 'RANGE_MALFORMED' });
});

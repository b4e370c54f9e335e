import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase } from '../../test/support/database.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../test/support/payment.js';
import { ZonedClock, type AppConfig } from '../config/index.js';
import type { Database } from '../database/index.js';
import { IncomeDays } from '../payment/index.js';

import { BusinessNumbers } from './business-numbers.js';

const DAY_MS = 86_400_000;
const clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));
let database: Database;
let config: AppConfig;
let parts: PaymentParts;
let dispose: () => Promise<void>;
beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  ({ config } = made.place);
  parts = paymentParts(database, config, { clock });
  parts.registry.register('bank', { name: 'Bank', methods: { a: 'A' }, build: () => false }, 'bank');
});
afterAll(() => dispose());

async function sold(name: string, scene: string, amount: number) {
  const order = await parts.orders.create({ user: 'buyer1', scene, name, amount, type: 'bank__a' });
  await parts.settlement.settle(order.number, 'bank', { trade_no: `T${order.id}`, amount });
  return order;
}
const giveBack = (orderId: number, amount: number) =>
  parts.refundRepository.reserve({ orderId, amount, way: 'hand', reason: 'too slow', actor: 'boss' });

it('report income after refunds by day and by plan for the requested days', async () => {
  const business = new BusinessNumbers(
    database,
    new IncomeDays(database, new ZonedClock(clock, config)),
    { count: () => Promise.resolve(2) } as never,
    new ZonedClock(clock, config),
  );
  const old = await sold('Old', 'hosting', 5_000);
  clock.advance(40 * DAY_MS);
  const first = await sold('Starter', 'hosting', 990);
  await sold('Starter', 'hosting', 990);
  await sold('Renewal of a', 'xf', 300);
  await sold('Renewal of b', 'xf', 300);
  await parts.orders.create({ user: 'buyer1', scene: 'hosting', name: 'Open', amount: 77 });
  clock.advance(2 * DAY_MS);
  await giveBack(first.id, 400);
  // Of an order from before: it is these days' refund all the same.
  await giveBack(old.id, 1_000);

  const week = await business.last(7);
  expect(week).toMatchObject({
    orders: 4,
    refunded: 1_400,
    income: 2_580 - 1_400,
    orders_open: 1,
    orders_open_sum: 77,
    failed_deliveries: 2,
  });
  expect(week.days.map(({ income, refunded }) => income - refunded)).toEqual([0, 0, 0, 0, 2_580, 0, -1_400]);
  expect(week.sold).toEqual([
    { name: 'Starter', scene: 'hosting', n: 2, income: 1_580 },
    { name: '', scene: 'xf', n: 2, income: 600 },
  ]);
  expect((await business.last(90)).sold[0]).toEqual({ name: 'Old', scene: 'hosting', n: 1, income: 4_000 });
  expect(await business.last(1)).toMatchObject({ orders: 0, income: -1_400, sold: [] });
});

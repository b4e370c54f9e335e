import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { plansOf } from '../../../test/support/query-plans.js';
import type { Database } from '../../database/index.js';
import type { OrderStatus } from '../../sdk/index.js';
import { type Order, Refund } from '../entities/index.js';

import { OrderSums } from './order-sums.js';

const DAY = 24 * 3_600_000;
const STATES: readonly OrderStatus[] = ['unpaid', 'paid', 'closed', 'refunded', 'partly_refunded'];
const clock = new ManualClock(new Date('2026-11-21T04:00:00Z'));

let database: Database;
let parts: PaymentParts;
let sums: OrderSums;
let dispose: () => Promise<void>;
const orders: Order[] = [];
const givenBack = new Map<number, number>();

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  parts = paymentParts(database, made.place.config, { clock });
  sums = new OrderSums(database);
  for (let i = 0; i < 40; i += 1) {
    const status = STATES[i % 5]!;
    const amount = 990 + i;
    const { id } = await parts.orders.create({
      user: ['alice', 'bob'][i % 2]!,
      scene: ['host', 'topup'][i % 3] ?? 'domain',
      name: `N${i}`,
      amount,
    });
    await database.run('UPDATE SVC_dd SET qk = ? WHERE id = ?', [status, id]);
    orders.push((await parts.orders.get(id))!);
    // One that was refused, and one or two that were done; of a paid order one that waits.
    if (status === 'refunded') await back(id, [amount], 'done');
    if (status === 'partly_refunded') await back(id, [101, 7], 'done');
    if (status !== 'unpaid') await back(id, [500], status === 'paid' ? 'pending' : 'refused');
    clock.advance(DAY / 4);
  }
});
afterAll(() => dispose());

async function back(orderId: number, amounts: readonly number[], state: Refund['state']): Promise<void> {
  const rest = { gateway: 'bank', way: 'hand', reason: 'r', actor: 'boss', createdAt: clock.now(), askedAt: null, doneAt: null } as const;
  for (const amount of amounts)
    await database.repository(Refund).insert({ ...rest, orderId, amount, state, number: `${orderId}-${state}-${amount}` });
  if (state === 'done')
    givenBack.set(
      orderId,
      amounts.reduce((sum, amount) => sum + amount, 0),
    );
}

describe('totals of orders', () => {
  it('are those of the listed orders, for any filter', async () => {
    const dates = fc.integer({ min: -1, max: 11 }).map((days) => new Date(orders[0]!.createdAt.getTime() + days * DAY));
    const choice = fc.record(
      {
        qk: fc.constantFrom('', ...STATES),
        scene: fc.constantFrom('', 'host', 'topup', 'nope'),
        tk: fc.constantFrom('' as const, 'pending' as const),
        ss: fc.constantFrom('', 'alice', 'N1', "' OR 1=1 --"),
        where: fc.constantFrom('', '{"name":"user","type":"1","value":"bob"}', '{"name":"qk","type":"2","value":"refunded"}'),
        since: dates,
        until: dates,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(choice, async (wanted) => {
        const listed = (await parts.list.page({ ...wanted, page: 1, limit: 100, sortOrder: 'asc' })).orders;
        const of = (states: readonly OrderStatus[]) => listed.filter(({ status }) => states.includes(status));
        const fen = (some: readonly Order[]) => some.reduce((sum, { amount }) => sum + amount, 0);
        expect(await sums.of(wanted)).toEqual({
          counts: Object.fromEntries(STATES.map((state) => [state, of([state]).length])),
          unpaid: fen(of(['unpaid'])),
          paid: fen(of(['paid', 'refunded', 'partly_refunded'])),
          refunded: listed.reduce((sum, { id }) => sum + (givenBack.get(id) ?? 0), 0),
        });
      }),
      { numRuns: 200 },
    );
  });

  it('are rejected for a search that the list rejects', async () => {
    await expect(sums.of({ where: '{"name":"ip","type":"1","value":"x"}' })).rejects.toMatchObject({ code: 'SEARCH_FIELD_UNKNOWN' });
  });

  it('are computed from indexes: for all orders and for a state without reading rows', async () => {
    if (database.engine !== 'sqlite') {
      const [step] = await database.query<{ key: string; Extra: string }>('EXPLAIN SELECT qk, COUNT(*), SUM(rmb) FROM SVC_dd GROUP BY qk');
      expect(step).toMatchObject({ key: 'IX_SVC_dd_sums', Extra: expect.stringContaining('Using index') as string });
      return;
    }
    for (const [wanted, step] of [
      [{}, 'SCAN SVC_dd USING COVERING INDEX IX_SVC_dd_sums'],
      [{ qk: 'paid' }, 'SEARCH SVC_dd USING COVERING INDEX IX_SVC_dd_sums (qk=?)'],
    ] as const) {
      const plan = await plansOf(database, () => sums.of(wanted));
      expect(plan[0]).toBe(step);
      expect(plan.filter((line) => line.includes('TEMP B-TREE'))).toEqual([]);
      expect(plan).toContain('SEARCH r USING INDEX IX_SVC_refund_order (order_id=?)');
    }
    const byDay = await plansOf(database, () => sums.of({ since: clock.now() }));
    expect(byDay[0]).toContain('SEARCH SVC_dd USING INDEX IX_SVC_dd_date');
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { paymentParts, type PaymentParts } from '../../../test/support/payment.js';
import { planOf, readsOf } from '../../../test/support/query-plans.js';
import { ZonedClock, type AppConfig } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { PaymentTransaction, type Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { IncomeDays } from '../statistics/income-days.js';

import { OrderList, type OrderQuery } from './order-list.js';

const XSS = `"><img src=x onerror=alert(1)>'{{7*7}}%_\\`;

let database: Database;
let config: AppConfig;
let parts: PaymentParts;
let dispose: () => Promise<void>;
const orders: Order[] = [];

beforeAll(async () => {
  const made = await createTestDatabase();
  ({ database, dispose } = made);
  ({ config } = made.place);
  parts = paymentParts(database, made.place.config);
  for (let i = 0; i < 60; i += 1) {
    orders.push(
      await parts.orders.create({
        user: ['alice', 'bob', 'Carol'][i % 3]!,
        owner: { account: (i % 3) + 1 },
        scene: i % 2 ? 'hosting' : 'recharge',
        name: i === 7 ? XSS : `Plan ${i}`,
        amount: 100 + i,
        type: i % 4 ? 'epay__alipay' : '',
      }),
    );
  }
  await parts.orders.close(orders[5]!.id);
});
afterAll(() => dispose());

const page = (query: Partial<OrderQuery> = {}): Promise<{ total: number; orders: Order[] }> =>
  parts.list.page({ page: 1, limit: 20, sortOrder: 'desc', ...query });
const ids = async (query: Partial<OrderQuery>): Promise<number[]> => (await page(query)).orders.map((order) => order.id);
const where = (name: string, type: string, value: string): Partial<OrderQuery> => ({
  where: JSON.stringify({ name, type, value }),
  limit: 200,
});

describe('a page', () => {
  it('has the newest first with all fields', async () => {
    const { total, orders: rows } = await page();
    expect(total).toBe(60);
    expect(rows.slice(0, 2)).toEqual([orders[59], orders[58]]);
    expect(rows).toHaveLength(20);
  });

  it.each(['id', 'date', 'ddh', 'user', 'scene', 'lx', 'qk', 'rmb', 'nonsense', undefined])(
    'by %s: every order on exactly one page, in a stable order, both ways',
    async (sort) => {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const seen: number[] = [];
        for (let at = 1; at <= 9; at += 1) seen.push(...(await ids({ sort, sortOrder, page: at, limit: 7 })));
        expect(seen).toHaveLength(60);
        expect(new Set(seen).size).toBe(60);
        const other = await ids({ sort, sortOrder: sortOrder === 'asc' ? 'desc' : 'asc', limit: 200 });
        expect(other.reverse()).toEqual(seen);
      }
    },
  );

  it('is found by exact and contained values, with any characters', async () => {
    expect(await ids(where('name', '1', XSS))).toEqual([orders[7]!.id]);
    expect(await ids(where('name', '2', 'ONERROR=alert'))).toEqual([orders[7]!.id]);
    expect(await ids(where('name', '2', '%_\\'))).toEqual([orders[7]!.id]);
    expect(await ids(where('name', '2', 'P%n'))).toEqual([]);
    expect(await ids(where('qk', '1', 'closed'))).toEqual([orders[5]!.id]);
    expect(await ids(where('ddh', '1', orders[3]!.number))).toEqual([orders[3]!.id]);
    expect(await ids({ ss: 'plan 4', limit: 200 })).toHaveLength(11);
    expect((await page({ qk: 'closed' })).total).toBe(1);
    expect((await page({ scene: 'hosting', accountId: 2 })).total).toBe(10);
    expect((await page(where('name', '2', ''))).total).toBe(60);
    expect((await page(where('', '9', 'x'))).total).toBe(60);
  });

  it.each([
    ['not json', 'SEARCH_MODE_UNKNOWN'],
    ['7', 'SEARCH_MODE_UNKNOWN'],
    ['{"name":"user","type":"3","value":"x"}', 'SEARCH_MODE_UNKNOWN'],
    ['{"name":"access_key","type":"2","value":"x"}', 'SEARCH_FIELD_UNKNOWN'],
    ['{"name":"constructor","type":"1","value":"x"}', 'SEARCH_FIELD_UNKNOWN'],
    ['{"name":"1=1 OR user","type":"1","value":"x"}', 'SEARCH_FIELD_UNKNOWN'],
  ])('refuses the search %s', async (text, code) => {
    await expect(page({ where: text })).rejects.toMatchObject({ code });
  });

  it("never shows another user's orders, whatever is requested", async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('id', 'id; DROP TABLE SVC_dd', '1) OR 1=1 --', "' OR ''='", '{Order.accessKey}', '%', 'bob', '`', '?', 'user'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            sort: hostile,
            sortOrder: hostile as fc.Arbitrary<'asc'>,
            where: fc.oneof(
              hostile,
              fc.record({ name: hostile, type: fc.constantFrom('1', '2', 1, "1'"), value: hostile }).map((w) => JSON.stringify(w)),
            ),
            ss: hostile,
            scene: hostile,
            qk: hostile,
          },
          { requiredKeys: [] },
        ),
        async (query) => {
          try {
            const { total, orders: rows } = await page({ ...query, limit: 200, accountId: 1 });
            expect(rows.every((order) => order.user === 'alice')).toBe(true);
            expect(rows).toHaveLength(total);
          } catch (error) {
            expect(error).toBeInstanceOf(PaymentError);
          }
        },
      ),
      { numRuns: 300 },
    );
    expect((await page()).total).toBe(60);
  });
});

describe('the plan of a page', () => {
  it.each(['id', 'ddh', 'user', 'scene', 'qk'])('by %s takes its ids from an index, without sorting them', async (sort) => {
    if (database.engine !== 'sqlite') return;
    const asked = await readsOf(database, () => new OrderList(database).page({ page: 30, limit: 5, sort, sortOrder: 'desc' }));
    const page = asked.filter((sql) => sql.includes('page_id'));
    expect(page).toHaveLength(1);
    const plan = planOf(database, page[0]!);
    const ofIds = plan.slice(plan.indexOf('CO-ROUTINE page') + 1, plan.indexOf('SCAN page'));
    expect(ofIds).toEqual([expect.stringMatching(sort === 'id' ? /^SCAN SVC_dd/ : /^SCAN SVC_dd USING COVERING INDEX/)]);
  });
});

describe('the income of days', () => {
  it('counts each payment on its day in the panel’s zone, whose days have 23 to 25 hours, and days without one', async () => {
    const inBerlin = Object.create(config, { timezone: { value: 'Europe/Berlin' } }) as AppConfig;
    const days = new IncomeDays(database, new ZonedClock(new ManualClock(new Date('2026-10-26T22:59:00.000Z')), inBerlin));
    // Clocks there went back on the 25th: it began at 22:00 UTC the day before and ended at 23:00.
    const paid: [string, number][] = [
      ['2026-10-24T21:59:59.000Z', 1],
      ['2026-10-24T22:00:00.000Z', 10],
      ['2026-10-25T22:59:59.000Z', 990],
      ['2026-10-25T23:00:00.000Z', 5],
      ['2026-10-20T12:00:00.000Z', 7],
    ];
    const rows = database.repository(PaymentTransaction);
    await rows.insert(
      paid.map(([at, amount], index) => ({
        orderId: orders[index]!.id,
        gateway: 'epay',
        tradeNumber: `day-${index}`,
        amount,
        amountChecked: true,
        createdAt: new Date(at),
      })),
    );
    expect(await days.net(4)).toEqual([
      { day: '2026-10-23', orders: 0, income: 0, refunded: 0, since: new Date('2026-10-22T22:00:00.000Z') },
      { day: '2026-10-24', orders: 1, income: 1, refunded: 0, since: new Date('2026-10-23T22:00:00.000Z') },
      { day: '2026-10-25', orders: 2, income: 1000, refunded: 0, since: new Date('2026-10-24T22:00:00.000Z') },
      { day: '2026-10-26', orders: 1, income: 5, refunded: 0, since: new Date('2026-10-25T23:00:00.000Z') },
    ]);
    expect((await days.net(30)).reduce((sum, { income }) => sum + income, 0)).toBe(1013);
  });
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../src/common/index.js';
import type { Database } from '../src/database/index.js';
import { DurableEvent } from '../src/hooks/index.js';
import { PaymentTransaction } from '../src/payment/index.js';
import type { SettlementExtra, SettlementResult } from '../src/sdk/index.js';

import { createTestDatabase, type TestPlace } from './support/database.js';
import { paymentParts, type PaymentParts } from './support/payment.js';

interface Call {
  number: string;
  gateway: string;
  extra: SettlementExtra;
}

const PROCESSES = 3;
const ORDERS = 25;

let database: Database;
let place: TestPlace;
let parts: PaymentParts;
let dispose: () => Promise<void>;

beforeAll(async () => {
  if (!existsSync(join(PACKAGE_ROOT, 'dist/ormconfig.js'))) throw new Error('This test runs the compiled code: npm run build first.');
  ({ database, place, dispose } = await createTestDatabase());
  parts = paymentParts(database, place.config);
});
afterAll(() => dispose());

/** Makes all processes call at the same moment. */
async function inProcesses(calls: Call[][]): Promise<SettlementResult[][]> {
  const children = await Promise.all(
    calls.map(async () => {
      const child = fork(join(PACKAGE_ROOT, 'test/support/settling-process.mjs'), {
        // Not the test's own variables: vitest sets its own BASE_URL.
        env: { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl, LOG_LEVEL: 'fatal' },
        execArgv: [],
      });
      const first: unknown = await Promise.race([once(child, 'message'), once(child, 'exit')]);
      expect(first).toEqual(['ready', undefined]);
      return child;
    }),
  );
  const answers = children.map((child) => once(child, 'message'));
  children.forEach((child, i) => child.send(calls[i]!));
  return (await Promise.all(answers)).map(([results]) => results as SettlementResult[]);
}

describe(`settling from ${PROCESSES} processes at once`, () => {
  it('pays each order once, whichever process is first, and records one event each', async () => {
    const orders = await Promise.all(
      Array.from({ length: ORDERS }, () =>
        parts.orders.create({ user: 'buyer', scene: 'hosting', name: 'Plan', amount: 1_250, type: 'alpha__card' }),
      ),
    );
    // Four notifications per order and process, one of them invalid; the last order's transaction number is the first's.
    const calls = orders.flatMap((order, i) => {
      const right = { number: order.number, gateway: 'alpha', extra: { money: '12.50', trade_no: `T-${i % (ORDERS - 1)}` } };
      return [right, right, right, { ...right, extra: { ...right.extra, money: '12.51' } }];
    });
    const results = (await inProcesses(Array.from({ length: PROCESSES }, () => calls))).flat();
    const ofOrder = (i: number): SettlementResult[] => results.filter((_, at) => calls[at % calls.length]!.number === orders[i]!.number);
    const eventCount = (i: number): Promise<number> => database.repository(DurableEvent).countBy({ subject: `order:${orders[i]!.id}` });

    expect(results).toHaveLength(PROCESSES * 4 * ORDERS);
    for (let i = 1; i < ORDERS - 1; i += 1) {
      expect(ofOrder(i).filter(({ ok, already }) => ok && !already)).toHaveLength(1);
      expect(ofOrder(i).filter(({ ok, already }) => ok && already)).toHaveLength(3 * PROCESSES - 1);
      expect(ofOrder(i).filter(({ ok }) => !ok)).toHaveLength(PROCESSES);
      expect(await eventCount(i)).toBe(1);
    }
    const rivals = [...ofOrder(0), ...ofOrder(ORDERS - 1)];
    expect(rivals.filter(({ ok, already }) => ok && !already)).toHaveLength(1);
    expect((await eventCount(0)) + (await eventCount(ORDERS - 1))).toBe(1);
    expect(await database.repository(PaymentTransaction).count()).toBe(ORDERS - 1);
    expect(await database.repository(DurableEvent).count()).toBe(ORDERS - 1);
  });
});

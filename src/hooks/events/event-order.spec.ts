import fc from 'fast-check';
import { In } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { clearEvents, EventProcess, gate } from '../../../test/support/event-process.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import type { Database } from '../../database/index.js';

import { EventDelivery } from './index.js';

let database: Database;
let dispose: () => Promise<void>;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
});
afterAll(() => dispose());

const LISTENERS = ['a', 'b', 'c'];
const HOSTS = [1, 2, 3];

/** One thing that happens: an event of a host, time that goes by, or the process dying inside a listener. */
type Step = { emit: number; failures: number[] } | { pass: number } | { crash: number };

const step = (crashes: boolean): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        emit: fc.constantFrom(...HOSTS),
        failures: fc.array(fc.nat(3), { minLength: LISTENERS.length, maxLength: LISTENERS.length }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ pass: fc.constantFrom(0, 1_000, 5_000, 30_000, 120_000) }) },
    ...(crashes ? [{ weight: 1, arbitrary: fc.record({ crash: fc.constantFrom(...HOSTS) }) }] : []),
  );

/** Plays the steps and gives, per listener and host, the numbers whose work was done, in the order it was. */
async function play(steps: readonly Step[]): Promise<{ done: Map<string, number[]>; emitted: Map<number, number[]> }> {
  await clearEvents(database);
  const clock = new ManualClock();
  const done = new Map<string, number[]>();
  const emitted = new Map<number, number[]>(HOSTS.map((host) => [host, []]));
  const failuresLeft = new Map<string, number>();
  let dying: { reached: () => void } | null = null;
  let count = 0;

  const start = async (): Promise<EventProcess> => {
    const process = new EventProcess(database, clock, { shutdown: 0, concurrency: 2, attemptLimit: 1_000 });
    let dead = false;
    for (const [index, id] of LISTENERS.entries()) {
      const listener = (user: string, number: number): unknown => {
        const lane = `${id} ${user}`;
        if (dead) return new Promise(() => undefined);
        const left = failuresLeft.get(`${id} ${number}`) ?? 0;
        failuresLeft.set(`${id} ${number}`, left - 1);
        if (left > 0) throw new Error('no');
        done.set(lane, [...(done.get(lane) ?? []), number]);
        if (!dying) return undefined;
        // Dies after the work and before anybody wrote down that it was done.
        dead = true;
        dying.reached();
        return new Promise(() => undefined);
      };
      process.listeners.register({ owner: 'shop', hook: 'host.paused', id, priority: index, listener });
    }
    await process.listeners.sync('shop');
    process.dispatcher.start();
    return process;
  };
  const emit = async (host: number, failures: number[]): Promise<void> => {
    count += 1;
    LISTENERS.forEach((id, index) => failuresLeft.set(`${id} ${count}`, failures[index]!));
    emitted.get(host)!.push(count);
    await process.emit(host, count);
  };

  /** Lets time pass until nothing waits any more. */
  const passUntilIdle = async (): Promise<void> => {
    const open = { state: In(['pending', 'running']) };
    for (let round = 0; round < 100 && (await database.repository(EventDelivery).existsBy(open)); round += 1) {
      await process.pass(3_600_000);
    }
  };

  let process = await start();
  for (const current of steps) {
    if ('emit' in current) await emit(current.emit, current.failures);
    else if ('pass' in current) await process.pass(current.pass);
    else {
      await passUntilIdle();
      const reached = gate();
      dying = { reached: reached.open };
      await emit(current.crash, [0, 0, 0]);
      await reached.opened;
      dying = null;
      process.kill();
      process = await start();
    }
  }
  await passUntilIdle();
  process.kill();
  return { done, emitted };
}

it('every listener receives every event of a host exactly once and in order, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step(false), { maxLength: 25 }), async (steps) => {
      const { done, emitted } = await play(steps);
      for (const id of LISTENERS) {
        for (const host of HOSTS) expect(done.get(`${id} user${host}`) ?? []).toEqual(emitted.get(host));
      }
    }),
    { numRuns: 30 },
  );
}, 120_000);

it('every listener receives events at least once, in order, when processes crash', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step(true), { maxLength: 25 }), async (steps) => {
      const { done, emitted } = await play(steps);
      const crashes = steps.filter((current) => 'crash' in current).length;
      let repeated = 0;
      for (const id of LISTENERS) {
        for (const host of HOSTS) {
          const numbers = done.get(`${id} user${host}`) ?? [];
          repeated += numbers.length - emitted.get(host)!.length;
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
          expect([...new Set(numbers)]).toEqual(emitted.get(host));
        }
      }
      expect(repeated).toBe(crashes);
    }),
    { numRuns: 30 },
  );
}, 120_000);

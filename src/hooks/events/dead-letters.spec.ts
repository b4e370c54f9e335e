import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { clearEvents, EventProcess } from '../../../test/support/event-process.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import type { Database } from '../../database/index.js';

import { DurableEvent, EventDelivery, EventRetention } from './index.js';

const DAY = 86_400_000;

let database: Database;
let dispose: () => Promise<void>;
let process: EventProcess;
let clock: ManualClock;
let broken: boolean;
let seen: number[];
let attempts: number;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
beforeEach(async () => {
  await clearEvents(database);
  clock = new ManualClock();
  process = new EventProcess(database, clock);
  [broken, seen, attempts] = [true, [], 0];
  process.listeners.register({
    owner: 'shop',
    hook: 'host.paused',
    id: 'a',
    listener: (_user, number) => {
      attempts += 1;
      if (broken) throw new Error('x'.repeat(5_000));
      seen.push(number);
    },
  });
  await process.listeners.sync('shop');
  process.dispatcher.start();
});
afterEach(() => process.kill());

/** Records an event and lets time pass until it is given up. */
async function makeDeadLetter(host: number, number: number): Promise<number> {
  const eventId = await process.emit(host, number);
  await process.dispatcher.idle();
  for (const wait of [5, 30, 120, 600, 3_600, 3_600, 3_600]) await process.pass(wait * 1_000);
  return (await database.repository(EventDelivery).findOneByOrFail({ eventId })).id;
}

it('gives up after eight attempts, stores the reason, and stops holding back other deliveries', async () => {
  const id = await makeDeadLetter(1, 1);
  expect(attempts).toBe(8);
  await process.pass(DAY);
  expect(attempts).toBe(8);
  const { total, rows } = await process.deadLetters.page({ page: 1, limit: 20 });
  expect(total).toBe(1);
  expect(rows).toEqual([
    {
      id,
      eventId: expect.any(Number),
      hook: 'host.paused',
      listener: 'shop:host.paused:a',
      listenerId: 'a',
      owner: 'shop',
      subject: 'host:1',
      attempts: 8,
      error: 'x'.repeat(2_000),
      diedAt: new Date(clock.now().getTime() - DAY),
    },
  ]);
  broken = false;
  await process.emit(1, 2);
  await process.dispatcher.idle();
  expect(seen).toEqual([2]);
});

it('retries one once: a failure makes it a dead letter again', async () => {
  const id = await makeDeadLetter(1, 1);
  expect(await process.deadLetters.retry(id)).toBe(true);
  await process.dispatcher.idle();
  expect(attempts).toBe(9);
  expect(await process.deadLetters.count()).toBe(1);
  broken = false;
  expect(await process.deadLetters.retry(id)).toBe(true);
  expect(await process.deadLetters.retry(id)).toBe(false);
  await process.dispatcher.idle();
  expect(seen).toEqual([1]);
  expect(await process.deadLetters.count()).toBe(0);
});

it('discards one permanently', async () => {
  const id = await makeDeadLetter(1, 1);
  expect(await process.deadLetters.discard(id)).toBe(true);
  expect(await process.deadLetters.discard(id)).toBe(false);
  expect(await process.deadLetters.retry(id)).toBe(false);
  expect(await process.deadLetters.count()).toBe(0);
});

it('lists the latest first, page by page', async () => {
  const ids: number[] = [];
  for (const number of [1, 2, 3]) ids.push(await makeDeadLetter(number, number));
  const pages = await Promise.all([1, 2, 3].map((page) => process.deadLetters.page({ page, limit: 2 })));
  expect(pages.map(({ total, rows }) => [total, rows.map((row) => row.id)])).toEqual([
    [3, [ids[2], ids[1]]],
    [3, [ids[0]]],
    [3, []],
  ]);
});

it('retention deletes events delivered to all listeners thirty days ago, and keeps those still waiting', async () => {
  const retention = new EventRetention(database, clock, process.listeners);
  const deadId = await makeDeadLetter(1, 1);
  broken = false;
  for (let number = 2; number <= 3; number += 1) await process.emit(1, number);
  const undo = process.listeners.register({ owner: 'off', hook: 'host.paused', id: 'b', listener: () => undefined });
  await process.listeners.sync('off');
  undo();
  await process.emit(2, 4);
  await process.dispatcher.idle();
  await process.pass(30 * DAY);
  expect(await retention.removeOld()).toBe(0);
  await process.pass(DAY);
  await process.emit(3, 5);
  await process.dispatcher.idle();
  expect(await retention.removeOld()).toBe(2);
  const numbers = async (): Promise<unknown[]> =>
    (await database.repository(DurableEvent).find({ order: { id: 'ASC' } })).map((event) => event.args[1]);
  expect(await numbers()).toEqual([1, 4, 5]);
  expect(await database.repository(EventDelivery).count()).toBe(5);

  await process.deadLetters.discard(deadId);
  await process.listeners.forget('off');
  await process.pass(31 * DAY);
  expect(await retention.removeOld()).toBe(3);
  expect(await database.repository(EventDelivery).count()).toBe(0);
});

it('retention processes more than one batch', async () => {
  await process.listeners.forget('shop');
  await database.transaction(async () => {
    for (let number = 1; number <= 1_001; number += 1) await process.emit(1, number);
  });
  clock.advance(31 * DAY);
  expect(await new EventRetention(database, clock, process.listeners).removeOld()).toBe(1_001);
});

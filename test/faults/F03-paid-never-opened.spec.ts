import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Database } from '../../src/database/index.js';
import { EventDelivery, EventListener, EventRetention, HeldEvents, LISTENER_MEMORY_DAYS } from '../../src/hooks/index.js';
import { createTestDatabase } from '../support/database.js';
import { clearEvents, EventProcess } from '../support/event-process.js';
import { ManualClock } from '../support/manual-clock.js';

const DAY = 86_400_000;

describe('F3 events for a plugin that is off', () => {
  let database: Database;
  let dispose: () => Promise<void>;
  let process: EventProcess;
  let clock: ManualClock;
  let seen: number[];
  let undo: () => void;

  beforeAll(async () => {
    ({ database, dispose } = await createTestDatabase());
  });
  afterAll(() => dispose());
  beforeEach(async () => {
    await clearEvents(database);
    clock = new ManualClock();
    process = new EventProcess(database, clock);
    process.dispatcher.start();
    seen = [];
    await switchOn();
  });
  afterEach(() => process.kill());

  async function switchOn(id = 'a'): Promise<void> {
    undo = process.listeners.register({ owner: 'shop', hook: 'host.paused', id, listener: (_user, number) => seen.push(number) });
    await process.listeners.sync('shop');
    await process.dispatcher.idle();
  }
  async function switchOff(): Promise<void> {
    undo();
    await process.listeners.deactivate('shop');
  }
  const states = async (): Promise<string[]> => (await database.repository(EventDelivery).find({ order: { id: 'ASC' } })).map(({ state }) => state);
  const retention = (): EventRetention => new EventRetention(database, clock, process.listeners);

  it('are kept, told of, and delivered in order when it is back', async () => {
    await switchOff();
    for (const number of [1, 2, 3]) await process.emit(1, number);
    await process.pass(10 * DAY);
    expect(seen).toEqual([]);
    expect(await new HeldEvents(database, process.listeners).list()).toEqual([{ owner: 'shop', count: 3, isOff: true, oldest: expect.any(Date) }]);
    await switchOn();
    expect(seen).toEqual([1, 2, 3]);
    expect(await new HeldEvents(database, process.listeners).list()).toEqual([]);
  });

  it('outlive the removal of old events until it has been off for ninety days', async () => {
    await switchOff();
    await process.emit(1, 1);
    await process.pass((LISTENER_MEMORY_DAYS - 1) * DAY);
    expect(await retention().removeOld()).toBe(0);
    await process.emit(1, 2);
    await switchOn();
    expect(seen).toEqual([1, 2]);
  });

  it('are given up visibly after that, and it gets nothing new', async () => {
    await switchOff();
    await process.emit(1, 1);
    await process.pass(LISTENER_MEMORY_DAYS * DAY + 1);
    await process.emit(1, 2);
    expect(await states()).toEqual(['pending']);
    await retention().removeOld();
    expect(await process.deadLetters.page({ page: 1, limit: 10 })).toMatchObject({ total: 1, rows: [{ owner: 'shop', error: 'events.written_off_long_off' }] });
    expect(await process.deadLetters.retry((await process.deadLetters.page({ page: 1, limit: 1 })).rows[0]!.id)).toBe(false);
    // It may come back yet: then the administrator can have the event delivered after all.
    await switchOn();
    expect(seen).toEqual([]);
    expect(await process.deadLetters.retry((await process.deadLetters.page({ page: 1, limit: 1 })).rows[0]!.id)).toBe(true);
    await process.dispatcher.idle();
    expect(seen).toEqual([1]);
  });

  it('are dead letters that say why where the plugin comes back without the listener', async () => {
    await switchOff();
    await process.emit(1, 1);
    await switchOn('another');
    expect(seen).toEqual([]);
    expect(await process.deadLetters.page({ page: 1, limit: 10 })).toMatchObject({ total: 1, rows: [{ listener: 'shop:host.paused:a', error: 'events.written_off_unheard' }] });
    await process.emit(1, 2);
    await process.dispatcher.idle();
    expect(seen).toEqual([2]);
    expect(await states()).toEqual(['dead', 'done']);
  });

  it('do not hold back others where one was written while its listener was being written off', async () => {
    process.listeners.register({ owner: 'shop', hook: 'host.renewed', id: 'b', listener: (_user, number) => seen.push(number) });
    await process.listeners.sync('shop');
    await process.emit(1, 1);
    await process.dispatcher.idle();
    undo();
    await process.listeners.sync('shop');
    await database.manager.update(EventDelivery, { state: 'done' }, { state: 'pending' });
    await process.listeners.writeOffUnheard();
    expect(await states()).toEqual(['dead']);
  });

  it('do not exist for one that was not known then, nor for one that was uninstalled', async () => {
    await switchOff();
    await process.emit(1, 1);
    await process.listeners.forget('shop');
    await process.emit(1, 2);
    await switchOn();
    expect(seen).toEqual([]);
    expect(await database.repository(EventListener).count()).toBe(1);
    expect(await database.repository(EventDelivery).count()).toBe(0);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { clearEvents, EventProcess } from '../../../test/support/event-process.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import type { Database } from '../../database/index.js';

import { EventDelivery, type EventError, EventListener, type DurableListeners } from './index.js';

let database: Database;
let dispose: () => Promise<void>;
let process: EventProcess;
let listeners: DurableListeners;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
beforeEach(async () => {
  await clearEvents(database);
  process = new EventProcess(database, new ManualClock());
  listeners = process.listeners;
  process.dispatcher.start();
});
afterEach(() => process.kill());

const rows = async (): Promise<Record<string, boolean>> =>
  Object.fromEntries((await database.repository(EventListener).find({ order: { id: 'ASC' } })).map((row) => [row.key, row.active]));
const seen: number[] = [];
beforeEach(() => (seen.length = 0));
const remember = (_user: string, number: number): unknown => seen.push(number);
const register = (owner: string, id?: string): (() => void) => listeners.register({ owner, hook: 'host.paused', id, listener: remember });

it('identifies a listener by its id, or by its position among its owner’s listeners of the hook', async () => {
  register('shop', 'first');
  const undoSecond = register('shop');
  register('shop');
  listeners.register({ owner: 'shop', hook: 'host.deleted', listener: () => undefined });
  register('mail');
  await listeners.sync('shop');
  await listeners.sync('mail');
  const all = {
    'shop:host.paused:first': true,
    'shop:host.paused:#2': true,
    'shop:host.paused:#3': true,
    'shop:host.deleted:#1': true,
    'mail:host.paused:#1': true,
  };
  expect(await rows()).toEqual(all);
  undoSecond();
  undoSecond();
  register('shop');
  await listeners.sync('shop');
  expect(await rows()).toEqual(all);
});

it('deactivates a listener that an update removed, and reactivates it when it returns', async () => {
  const undo = register('shop', 'old');
  register('shop', 'kept');
  await listeners.sync('shop');
  undo();
  register('shop', 'new');
  await listeners.sync('shop');
  expect(await rows()).toEqual({ 'shop:host.paused:old': false, 'shop:host.paused:kept': true, 'shop:host.paused:new': true });
  register('shop', 'old');
  await listeners.sync('shop');
  expect((await rows())['shop:host.paused:old']).toBe(true);
});

it('records events for an owner that is down, and delivers them when it is back', async () => {
  const undo = register('shop', 'a');
  await listeners.sync('shop');
  undo();
  await process.emit(1, 1);
  await process.pass(86_400_000);
  expect(seen).toEqual([]);
  register('shop', 'a');
  await listeners.sync('shop');
  await process.dispatcher.idle();
  expect(seen).toEqual([1]);
});

it('holds waiting and new events for a disabled owner, and delivers them when it is enabled again', async () => {
  const undo = register('shop', 'a');
  await listeners.sync('shop');
  undo();
  await process.emit(1, 1);
  await listeners.deactivate('shop');
  await process.emit(1, 2);
  register('shop', 'a');
  await process.pass(86_400_000);
  expect(seen).toEqual([]);
  await listeners.sync('shop');
  await process.emit(1, 3);
  await process.dispatcher.idle();
  expect(seen).toEqual([1, 2, 3]);
});

it('holds deliveries immediately in a process that has not yet seen the deactivation', async () => {
  register('shop', 'a');
  await listeners.sync('shop');
  await process.emit(1, 1);
  await process.dispatcher.idle();
  await database.dataSource.manager.update(EventDelivery, { state: 'done' }, { state: 'pending' });
  await listeners.deactivate('shop');
  await process.pass(60_000);
  expect(seen).toEqual([1]);
});

it('deletes an owner with its waiting and failed deliveries; other owners keep theirs', async () => {
  for (const owner of ['shop', 'mail']) {
    register(owner, 'a')();
    const undo = register(owner, 'b');
    await listeners.sync(owner);
    undo();
  }
  await process.emit(1, 1);
  await process.emit(1, 2);
  const dead = await database.repository(EventDelivery).findOneByOrFail({ listenerKey: 'shop:host.paused:b' });
  await database.dataSource.manager.update(EventDelivery, { id: dead.id }, { state: 'dead' });
  await listeners.forget('shop');
  expect(await rows()).toEqual({ 'mail:host.paused:b': true });
  const left = await database.repository(EventDelivery).find();
  expect(left.map((delivery) => delivery.listenerKey)).toEqual(['mail:host.paused:b', 'mail:host.paused:b']);
});

it('refuses listeners that could not be identified after a restart', () => {
  const code = (work: () => unknown): string | undefined => {
    try {
      work();
    } catch (error) {
      return (error as EventError).code;
    }
    return undefined;
  };
  register('shop', 'a');
  expect(code(() => register('shop', 'a'))).toBe('LISTENER_ID_TAKEN');
  expect(code(() => register('shop', 'with space'))).toBe('LISTENER_ID_INVALID');
  expect(code(() => register('shop', 'x'.repeat(61)))).toBe('LISTENER_ID_INVALID');
  const listener = (): void => undefined;
  expect(code(() => listeners.register({ owner: 'shop', hook: 'menu.admin' as never, listener }))).toBe('HOOK_NOT_DURABLE');
  expect(code(() => listeners.register({ owner: 'shop', hook: 'host.paused', priority: 1.5, listener }))).toBe('PRIORITY_INVALID');
  expect(code(() => listeners.register({ owner: 'shop', hook: 'host.paused', listener: 'x' as never }))).toBe('LISTENER_NOT_FUNCTION');
});

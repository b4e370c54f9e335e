import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { clearEvents, connectAgain, EventProcess, gate } from '../../../test/support/event-process.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { executionContext, runInFrame, type CallDeadlines, type ExecutionFrame } from '../../common/index.js';
import { ConfigModule } from '../../config/index.js';
import { DatabaseModule, type Database } from '../../database/index.js';
import type { EventInfo } from '../../sdk/index.js';

import { DurableListeners, EVENT_PROVIDERS, EventDispatcher, EventDelivery, type DeliverySettings } from './index.js';
import { DELIVERY_SETTINGS } from './delivery-settings.js';

let database: Database;
let place: TestPlace;
let dispose: () => Promise<void>;
let clock: ManualClock;
let processes: EventProcess[];

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
beforeEach(async () => {
  await clearEvents(database);
  clock = new ManualClock();
  processes = [];
});
afterEach(() => {
  for (const process of processes) process.kill();
});

function newProcess(settings: Partial<DeliverySettings> = {}, connection = database, deadlines: Partial<CallDeadlines> = {}): EventProcess {
  const process = new EventProcess(connection, clock, settings, deadlines);
  processes.push(process);
  return process;
}

type Listener = (user: string, number: number) => unknown;

async function listen(process: EventProcess, id: string, listener: Listener, priority = 10, owner = 'shop'): Promise<void> {
  process.listeners.register({ owner, hook: 'host.paused', id, priority, listener });
  await process.listeners.sync(owner);
}

const states = async (): Promise<string[]> =>
  (await database.repository(EventDelivery).find({ order: { id: 'ASC' } })).map((delivery) => delivery.state);

describe('delivery', () => {
  it('follows the commit; a rolled-back event is delivered to no one', async () => {
    const process = newProcess();
    const seen: number[] = [];
    await listen(process, 'a', (_user, number) => seen.push(number));
    process.dispatcher.start();
    await process.emit(1, 1);
    await database
      .transaction(async () => {
        await process.emit(1, 2);
        throw new Error('no');
      })
      .catch(() => undefined);
    await process.dispatcher.idle();
    expect(seen).toEqual([1]);
    expect(await states()).toEqual(['done']);
  });

  it('loses nothing if the process dies between commit and delivery, or before its listeners are registered', async () => {
    const first = newProcess();
    await listen(first, 'a', () => undefined);
    await first.emit(1, 1);
    await first.emit(1, 2);

    const second = newProcess();
    second.dispatcher.start();
    await second.dispatcher.idle();
    expect(await states()).toEqual(['pending', 'pending']);
    const seen: number[] = [];
    await listen(second, 'a', (_user, number) => seen.push(number));
    await second.dispatcher.idle();
    expect(seen).toEqual([1, 2]);
  });

  it('polls for events recorded by another process that has ended or lacks the listener', async () => {
    const seen: number[] = [];
    const first = newProcess({ sweep: 20 });
    await listen(first, 'a', (_user, number) => seen.push(number));
    first.dispatcher.start();
    await first.dispatcher.idle();
    await newProcess().emit(1, 1);
    await vi.waitFor(() => expect(seen).toEqual([1]));
  });

  it('delivers nothing to a listener whose owner is still being activated', async () => {
    const first = newProcess();
    await listen(first, 'a', () => undefined);
    await first.emit(1, 1);
    const second = newProcess();
    second.dispatcher.start();
    const seen: number[] = [];
    second.listeners.register({ owner: 'shop', hook: 'host.paused', id: 'a', listener: (_user, number) => seen.push(number) });
    await second.pass(0);
    expect(seen).toEqual([]);
    await second.listeners.sync('shop');
    await second.dispatcher.idle();
    expect(seen).toEqual([1]);
  });

  it('runs the listeners of one event by priority, then in order of registration, one after another', async () => {
    const process = newProcess();
    const order: string[] = [];
    const slow = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    };
    await listen(process, 'late', slow('late'), 20);
    await listen(process, 'second', slow('second'), 10, 'other');
    await listen(process, 'third', slow('third'), 10, 'shop');
    await listen(process, 'first', slow('first'), -5);
    process.dispatcher.start();
    await process.emit(1, 1);
    await process.dispatcher.idle();
    expect(order).toEqual(['first', 'second', 'third', 'late'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it('keeps the order of an event’s listeners while another event is delivered', async () => {
    const process = newProcess();
    const block = gate();
    const seen: string[] = [];
    await listen(
      process,
      'first',
      async (user) => {
        if (user === 'user1') await block.opened;
      },
      1,
    );
    await listen(process, 'second', (user) => seen.push(user), 2);
    process.dispatcher.start();
    await process.emit(1, 1);
    await process.emit(2, 1);
    await vi.waitFor(() => expect(seen).toEqual(['user2']), { timeout: 20_000 });
    block.open();
    await process.dispatcher.idle();
    expect(seen).toEqual(['user2', 'user1']);
  });

  it('retries only what failed, independently, after the backoff', async () => {
    const process = newProcess();
    const calls: string[] = [];
    let failures = 2;
    await listen(process, 'a', () => calls.push('a'), 1);
    await listen(
      process,
      'b',
      () => {
        calls.push('b');
        if (failures-- > 0) throw new Error('server panel is away');
      },
      2,
    );
    await listen(process, 'c', () => calls.push('c'), 3);
    process.dispatcher.start();
    await process.emit(1, 1);
    await process.dispatcher.idle();
    expect(calls).toEqual(['a', 'b', 'c']);
    await process.pass(4_999);
    expect(calls).toHaveLength(3);
    await process.pass(1);
    expect(calls).toEqual(['a', 'b', 'c', 'b']);
    const waiting = await database.repository(EventDelivery).findOneByOrFail({ state: 'pending' });
    expect(waiting).toMatchObject({ attempts: 2, lastError: 'server panel is away', claimedBy: null });
    expect(waiting.dueAt.getTime() - clock.now().getTime()).toBe(30_000);
    await process.pass(30_000);
    expect(calls).toEqual(['a', 'b', 'c', 'b', 'b']);
    await process.pass(86_400_000);
    expect(calls).toHaveLength(5);
    expect(await states()).toEqual(['done', 'done', 'done']);
  });

  it('keeps the order of a subject for the failing listener; other listeners and subjects continue', async () => {
    const process = newProcess();
    const failing: string[] = [];
    const healthy: string[] = [];
    let broken = true;
    await listen(
      process,
      'failing',
      (user, number) => {
        if (broken && user === 'user1') throw new Error('no');
        failing.push(`${user}:${number}`);
      },
      1,
    );
    await listen(process, 'healthy', (user, number) => healthy.push(`${user}:${number}`), 2);
    process.dispatcher.start();
    for (const number of [1, 2, 3]) for (const host of [1, 2]) await process.emit(host, number);
    await process.dispatcher.idle();
    expect(failing).toEqual(['user2:1', 'user2:2', 'user2:3']);
    expect(healthy.filter((line) => line.startsWith('user1'))).toEqual(['user1:1', 'user1:2', 'user1:3']);
    broken = false;
    await process.pass(60_000);
    expect(failing.slice(3)).toEqual(['user1:1', 'user1:2', 'user1:3']);
  });

  it('handles several subjects concurrently, up to the limit, and hanging listeners do not take all slots', async () => {
    const process = newProcess({ concurrency: 3 });
    const block = gate();
    const begun: string[] = [];
    const reached = gate();
    await listen(process, 'a', async (user) => {
      begun.push(user);
      if (begun.length === 3) reached.open();
      if (Number(user.slice(4)) <= 3) await block.opened;
    });
    for (const host of [1, 2, 3, 4, 5]) await process.emit(host, 1);
    process.dispatcher.start();
    await reached.opened;
    // Each reads its event by itself: between subjects there is no order.
    expect(begun.toSorted()).toEqual(['user1', 'user2', 'user3']);
    clock.advance(30_000);
    await process.dispatcher.renewLeases();
    await expect.poll(() => begun.toSorted()).toEqual(['user1', 'user2', 'user3', 'user4', 'user5']);
    block.open();
    await process.dispatcher.idle();
    expect(await states()).toEqual(Array(5).fill('done'));
  });

  it('counts a listener that never ends as failed at its deadline', async () => {
    const process = newProcess({}, database, { durable: 50 });
    const begun = gate();
    let calls = 0;
    await listen(process, 'a', () => {
      calls += 1;
      begun.open();
      return calls === 1 ? new Promise(() => undefined) : undefined;
    });
    process.dispatcher.start();
    await process.emit(1, 1);
    await begun.opened;
    await process.dispatcher.idle();
    expect((await database.repository(EventDelivery).findOneByOrFail({})).lastError).toBe('no response within 0.05 s');
    await process.pass(5_000);
    expect(calls).toBe(2);
    expect(await states()).toEqual(['done']);
  });

  it('reports which listener failed', async () => {
    const process = newProcess();
    await listen(process, 'a', () => Promise.reject(new Error('no')));
    process.dispatcher.start();
    await process.emit(1, 1);
    await process.dispatcher.idle();
    expect(process.faults.last('shop')).toMatchObject({ place: 'listener of host.paused', message: 'no', count: 1 });
  });

  it('retries by its own timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const process = newProcess();
      let calls = 0;
      await listen(process, 'a', () => {
        calls += 1;
        if (calls === 1) throw new Error('no');
      });
      process.dispatcher.start();
      await process.emit(1, 1);
      await process.dispatcher.idle();
      expect(vi.getTimerCount()).toBe(1);
      clock.advance(5_000);
      vi.advanceTimersByTime(5_000);
      await process.dispatcher.idle();
      expect(calls).toBe(2);
      await process.dispatcher.stop();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits at shutdown for running listeners and starts no more', async () => {
    const process = newProcess();
    const begun = gate();
    const block = gate();
    const seen: number[] = [];
    await listen(process, 'a', async (_user, number) => {
      begun.open();
      await block.opened;
      seen.push(number);
    });
    process.dispatcher.start();
    await process.emit(1, 1);
    await process.emit(1, 2);
    await begun.opened;
    const stopped = process.dispatcher.stop();
    block.open();
    await stopped;
    expect(seen).toEqual([1]);
    expect(await states()).toEqual(['done', 'pending']);
  });

  it('reaches a listener past many deliveries waiting for listeners of other processes, with any number of listeners', async () => {
    const process = newProcess();
    await listen(process, 'gone', () => undefined);
    for (let number = 1; number <= 250; number += 1) await process.emit(1, number);
    const here = newProcess();
    const seen: number[] = [];
    for (let index = 0; index < 600; index += 1) {
      here.listeners.register({ owner: 'many', hook: 'host.renewed', id: `l${index}`, listener: () => undefined });
    }
    here.listeners.register({ owner: 'many', hook: 'host.paused', id: 'here', listener: (_user, number) => seen.push(number) });
    await here.listeners.sync('many');
    here.dispatcher.start();
    await here.emit(1, 251);
    await here.dispatcher.idle();
    expect(seen).toEqual([251]);
  });
});

it('the providers can be injected and stop with the application', async () => {
  const before = newProcess();
  await listen(before, 'a', () => undefined);
  await before.emit(1, 1);
  const application = await Test.createTestingModule({
    imports: [ConfigModule.forRoot(place.config), DatabaseModule.forRoot(await connectAgain(place))],
    providers: EVENT_PROVIDERS,
  }).compile();
  const delivered = gate();
  const listeners = application.get(DurableListeners);
  listeners.register({ owner: 'shop', hook: 'host.paused', id: 'a', listener: delivered.open });
  await listeners.sync('shop');
  await application.init();
  application.get(EventDispatcher).start();
  await delivered.opened;
  await application.close();
  expect(await states()).toEqual(['done']);
});

describe('what a listener receives', () => {
  it('is the event, with one idempotency key for all its attempts and another for each listener', async () => {
    const process = newProcess();
    const events: (EventInfo | undefined)[] = [];
    const frames: (ExecutionFrame | undefined)[] = [];
    const remember = (): void => {
      frames.push(executionContext.getStore());
      events.push(executionContext.getStore()?.event);
      if (events.length <= 1) throw new Error('no');
    };
    await listen(process, 'a', remember, 1);
    await listen(process, 'b', remember, 2);
    process.dispatcher.start();
    await process.dispatcher.idle();
    const call = { ip: '203.0.113.7' } as never;
    const id = await runInFrame({ owner: 'caller', hook: 'boot', call }, () => process.emit(7, 3));
    await process.dispatcher.idle();
    await process.pass(5_000);

    const common = { id, hook: 'host.paused', source: 'admin', row: { id: 7, number: 3 } };
    expect(events).toEqual([
      { ...common, attempt: 1, idempotencyKey: expect.any(String) },
      { ...common, attempt: 1, idempotencyKey: expect.any(String) },
      { ...common, attempt: 2, idempotencyKey: expect.any(String) },
    ]);
    expect(events[2]!.idempotencyKey).toBe(events[0]!.idempotencyKey);
    expect(events[1]!.idempotencyKey).not.toBe(events[0]!.idempotencyKey);
    expect(events[0]!.idempotencyKey).toMatch(/^.{16,128}$/);
    for (const frame of frames) {
      expect(frame).toMatchObject({ owner: 'shop', hook: 'host.paused', call: undefined, parent: undefined });
    }
  });

  it('is its own copy of the arguments', async () => {
    const process = newProcess();
    const seen: unknown[] = [];
    for (const id of ['a', 'b']) {
      process.listeners.register({
        owner: 'shop',
        hook: 'order.paid',
        id,
        listener: (order) => {
          seen.push({ ...order });
          Object.assign(order, { spoiled: true });
        },
      });
    }
    await process.listeners.sync('shop');
    process.dispatcher.start();
    const order = { ddh: '20261121', rmb: '1.00' } as never;
    await database.transaction(() =>
      process.outbox.record({ hook: 'order.paid', subject: 'order:1', source: 'user', args: [order], row: {} }),
    );
    await process.dispatcher.idle();
    expect(seen).toEqual([order, order]);
  });
});

describe('several processes', () => {
  let other: Database;
  beforeAll(async () => {
    other = await connectAgain(place);
  });
  afterAll(() => other.dataSource.destroy());

  it('share the work and never run a delivery twice, or two of one subject concurrently', async () => {
    const [here, there] = [newProcess(), newProcess({}, other)];
    const done: string[] = [];
    const inside = new Set<string>();
    const bothWork = gate();
    const working = new Set<EventProcess>();
    for (const process of [here, there]) {
      for (const id of ['a', 'b']) {
        await listen(process, id, async (user, number) => {
          const lane = `${id} ${user}`;
          expect(inside.has(lane)).toBe(false);
          inside.add(lane);
          working.add(process);
          if (working.size === 2) bothWork.open();
          await bothWork.opened;
          inside.delete(lane);
          done.push(`${lane} ${number}`);
        });
      }
    }
    const hosts = Array.from({ length: 12 }, (_value, index) => index + 1);
    for (const number of [1, 2, 3]) for (const host of hosts) await here.emit(host, number);
    here.dispatcher.start();
    there.dispatcher.start();
    for (let round = 0; round < 3; round += 1) await Promise.all([here.dispatcher.idle(), there.dispatcher.idle()]);
    await here.pass(0);
    await there.pass(0);
    await here.pass(0);
    for (const id of ['a', 'b']) {
      for (const host of hosts) {
        const lane = `${id} user${host} `;
        expect(done.filter((line) => line.startsWith(lane))).toEqual([1, 2, 3].map((number) => lane + number));
      }
    }
    expect(done).toHaveLength(72);
  });

  it('take over from a crashed process when its lease expires, and its late end changes nothing', async () => {
    const [dying, heir] = [newProcess(), newProcess({}, other)];
    const begun = gate();
    const block = gate();
    const attempts: (number | undefined)[] = [];
    await listen(dying, 'a', async () => {
      begun.open();
      await block.opened;
      throw new Error('from the grave');
    });
    dying.dispatcher.start();
    await dying.emit(1, 1);
    await begun.opened;
    await listen(heir, 'a', () => attempts.push(executionContext.getStore()?.event?.attempt));
    heir.dispatcher.start();
    await heir.pass(DELIVERY_SETTINGS.lease - 5_000);
    await dying.dispatcher.renewLeases();
    await heir.pass(DELIVERY_SETTINGS.lease - 1);
    expect(attempts).toEqual([]);
    await heir.pass(1);
    expect(attempts).toEqual([2]);
    block.open();
    await dying.dispatcher.idle();
    expect(await states()).toEqual(['done']);
  });

  it('give up an event that crashes every process that runs it', async () => {
    await listen(newProcess(), 'a', () => undefined);
    await newProcess().emit(1, 1);
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const begun = gate();
      const dying = newProcess({ shutdown: 0 });
      await listen(dying, 'a', () => {
        begun.open();
        return new Promise(() => undefined);
      });
      dying.dispatcher.start();
      await begun.opened;
      dying.kill();
      clock.advance(60_000);
    }
    const survivor = newProcess();
    const seen: number[] = [];
    await listen(survivor, 'a', (_user, number) => seen.push(number));
    survivor.dispatcher.start();
    await survivor.emit(1, 2);
    await survivor.dispatcher.idle();
    expect(seen).toEqual([2]);
    expect(await states()).toEqual(['dead', 'done']);
  });
});

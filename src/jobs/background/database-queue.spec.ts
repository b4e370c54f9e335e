import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { connectAgain, gate } from '../../../test/support/event-process.js';
import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { Database } from '../../database/index.js';

import { backoffAfter } from './backoff.js';
import { DatabaseQueue, TASK_SETTINGS, Task, TaskRecords, TaskRegistry, TaskWorker, type TaskTurn } from './index.js';
import { describeQueue, type QueueProcess } from './testing/queue-contract.js';

let database: Database;
let place: TestPlace;
let dispose: () => Promise<void>;

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
});
afterAll(() => dispose());

const clear = async (): Promise<void> => {
  await database.dataSource.manager.createQueryBuilder().delete().from(Task).execute();
};

function processOn(connection: Database, clock: Clock, settings = TASK_SETTINGS, env: NodeJS.ProcessEnv = {}) {
  const handlers = new TaskRegistry();
  const records = new TaskRecords(connection, clock, handlers);
  const worker = new TaskWorker(connection, clock, handlers, settings);
  const queue = new DatabaseQueue(new AppConfig({ DATA_DIR: place.dataDir, ...env }), connection, records, worker);
  return { handlers, records, worker, queue };
}

describeQueue('the queue in the database', {
  clear,
  start: async (): Promise<QueueProcess> => {
    // Each its own connection, so that one that is killed writes nothing more.
    const connection = await connectAgain(place);
    const settings = { lease: 600, renewal: 100, skew: 200, poll: 100, shutdown: 5_000 };
    const { handlers, worker, queue } = processOn(connection, new Clock(), settings);
    queue.start();
    let ended: Promise<unknown> | undefined;
    const stop = () => worker.stop().then(() => connection.dataSource.destroy());
    const kill = () => connection.dataSource.destroy().then(() => void worker.stop());
    return {
      queue,
      handlers,
      database: connection,
      stop: async () => void (await (ended ??= stop())),
      kill: async () => void (await (ended ??= kill())),
    };
  },
});

describe('the leases of background tasks', () => {
  let clock: ManualClock;
  const connections: Database[] = [];
  const workers: TaskWorker[] = [];

  beforeEach(async () => {
    await clear();
    clock = new ManualClock(new Date('2026-11-22T10:00:00.000Z'));
    return async () => {
      vi.useRealTimers();
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      await Promise.all(connections.splice(0).map((connection) => connection.dataSource.destroy()));
    };
  });

  async function newProcess(env?: NodeJS.ProcessEnv) {
    const connection = await connectAgain(place);
    // No timers: the test says when it is time.
    const made = processOn(connection, clock, { ...TASK_SETTINGS, renewal: 2_000_000_000, poll: 2_000_000_000 }, env);
    connections.push(connection);
    workers.push(made.worker);
    made.queue.start();
    return made;
  }

  it('last while they are renewed, then somebody else takes over, and whoever lost one changes nothing any more', async () => {
    const [slow, other] = [await newProcess(), await newProcess()];
    const { opened, open } = gate();
    let signal!: AbortSignal;
    slow.handlers.add({
      name: 'test.work',
      run: async (_payload, turn: TaskTurn) => {
        signal = turn.signal;
        await opened;
        return 'slow';
      },
    });
    const id = await slow.queue.add('test.work', null);
    await vi.waitFor(() => expect(signal).toBeDefined(), { timeout: 20_000 });
    const ran: number[] = [];
    other.handlers.add({ name: 'test.work', run: (_payload, { attempt }: TaskTurn) => (ran.push(attempt), 'other') });
    for (let minute = 0; minute < 6; minute += 1) {
      clock.advance(10_000);
      await slow.worker.renewAll();
      await other.worker.poll();
      await other.worker.idle();
    }
    expect(ran).toEqual([]);
    // Clocks differ: the end of the lease by one's own is not the end yet.
    clock.advance(24_000);
    await other.worker.poll();
    await other.worker.idle();
    expect(ran).toEqual([]);
    clock.advance(2_000);
    await other.worker.poll();
    await other.worker.idle();
    expect(ran).toEqual([2]);
    expect(signal.aborted).toBe(false);
    await slow.worker.renewAll();
    expect(signal.aborted).toBe(true);
    open();
    await slow.worker.idle();
    expect(await other.queue.find(id)).toMatchObject({ state: 'done', result: 'other', attempts: 2 });
  });

  it('are held by a handler that was told to stop until it has, while its place goes to another task', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { queue, handlers, worker } = await newProcess();
    const { opened, open } = gate();
    const ran: unknown[] = [];
    handlers.add({
      name: 'test.work',
      timeoutMinutes: 1,
      attempts: 1,
      run: async (payload, turn: TaskTurn) => {
        ran.push(payload);
        if (payload !== 'stuck') return;
        await opened;
        turn.signal.throwIfAborted();
      },
    });
    const stuck = await queue.add('test.work', 'stuck', { key: 'stuck' });
    const next = await queue.add('test.work', 'next');
    await vi.waitFor(() => expect(ran).toEqual(['stuck']), { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect((await queue.find(next))!.state).toBe('done'), { timeout: 20_000 });
    await vi.waitFor(async () => expect(await queue.find(stuck)).toMatchObject({ state: 'running', error: 'tasks.timeout' }), {
      timeout: 20_000,
    });
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(60_000);
      await worker.renewAll();
      await worker.poll();
    }
    expect(await queue.add('test.work', 'second', { key: 'stuck' })).toBe(stuck);
    open();
    await worker.idle();
    expect(await queue.find(stuck)).toMatchObject({ state: 'failed', error: 'tasks.timeout', attempts: 1 });
    expect(ran).toEqual(['stuck', 'next']);
  });

  it('begin in a process with the worker alone', async () => {
    const [web, workerOne] = [await newProcess({ SERVICES: 'panel' }), await newProcess()];
    const ran: string[] = [];
    web.handlers.add({ name: 'test.work', run: () => void ran.push('web') });
    const id = await web.queue.add('test.work', null);
    expect(await web.queue.find(id)).toMatchObject({ state: 'waiting', handled: true });
    workerOne.handlers.add({ name: 'test.work', run: () => void ran.push('worker') });
    await workerOne.worker.idle();
    expect(ran).toEqual(['worker']);
  });

  it('leave finished tasks for seven days, and those that wait for ever', async () => {
    const { queue, handlers, records, worker } = await newProcess();
    handlers.add({ name: 'test.work', run: () => undefined });
    const done = await queue.add('test.work', null);
    const waiting = await queue.add('test.other', null);
    const cancelled = await queue.add('test.other', null);
    await queue.cancel(cancelled);
    await worker.idle();
    clock.advance(7 * 86_400_000);
    expect(await records.removeOld()).toBe(0);
    clock.advance(1);
    expect(await records.removeOld()).toBe(2);
    expect(await Promise.all([done, waiting, cancelled].map(async (id) => (await queue.find(id))?.state ?? null))).toEqual([
      null,
      'waiting',
      null,
    ]);
  });
});

describe('the wait before the next attempt', () => {
  it('doubles, ends at an hour, and differs by a quarter', () => {
    const middle = (): number => 0.5;
    expect([1, 2, 3, 4].map((attempt) => backoffAfter(attempt, 5_000, middle))).toEqual([5_000, 10_000, 20_000, 40_000]);
    expect(backoffAfter(60, 5_000, middle)).toBe(3_600_000);
    expect([0, 1].map((chance) => backoffAfter(1, 4_000, () => chance))).toEqual([3_000, 5_000]);
  });
});

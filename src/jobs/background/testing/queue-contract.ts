import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { gate } from '../../../../test/support/event-process.js';
import type { Database } from '../../../database/index.js';
import { FinalFailure, type BackgroundQueue, type TaskHandler, type TaskRegistry, type TaskState, type TaskTurn } from '../index.js';

/** One of several processes that share a queue. */
export interface QueueProcess {
  readonly queue: BackgroundQueue;
  readonly handlers: TaskRegistry;
  /** Its connection. */
  readonly database: Database;
  /** Shuts it down as SIGTERM does. */
  stop(): Promise<void>;
  /** Ends it as `kill -9` does: nothing more is stored. */
  kill(): Promise<void>;
}

/** Creates processes of the tested adapter. */
export interface QueueMaker {
  /** Starts a process; leases are short, so that crashed processes are detected within seconds. */
  readonly start: () => Promise<QueueProcess>;
  /** Empties the queue. */
  readonly clear: () => Promise<void>;
}

/** Contract tests for every adapter of {@link BackgroundQueue}. */
export function describeQueue(name: string, { start, clear }: QueueMaker): void {
  describe(name, () => {
    const processes: QueueProcess[] = [];
    const newProcess = async (): Promise<QueueProcess> => {
      const process = await start();
      processes.push(process);
      return process;
    };
    const handle = ({ handlers }: QueueProcess, run: TaskHandler['run'], more: Partial<TaskHandler> = {}) =>
      handlers.add({ name: 'test.work', run, ...more });
    const within = { timeout: 20_000, interval: 20 };
    const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, within);
    const reaches = async ({ queue }: QueueProcess, id: string, state: TaskState): Promise<void> => {
      await until(async () => expect((await queue.find(id))?.state).toBe(state));
    };

    beforeEach(() => clear());
    afterEach(async () => {
      await Promise.all(processes.splice(0).map((process) => process.stop()));
    });

    it('gives a handler the payload and keeps what it returns', async () => {
      const process = await newProcess();
      const seen: unknown[] = [];
      handle(process, (payload, turn) => {
        seen.push(payload, turn.attempt);
        return { sum: 3 };
      });
      const id = await process.queue.add('test.work', { a: [1, 2], text: '中文' }, { by: 'admin' });
      await reaches(process, id, 'done');
      expect(seen).toEqual([{ a: [1, 2], text: '中文' }, 1]);
      expect(await process.queue.find(id)).toMatchObject({
        name: 'test.work',
        by: 'admin',
        attempts: 1,
        error: null,
        result: { sum: 3 },
        payload: { a: [1, 2], text: '中文' },
      });
    });

    it('runs each task once, whichever of two processes adds it', async () => {
      const [here, there] = [await newProcess(), await newProcess()];
      const ran: number[] = [];
      for (const process of [here, there]) handle(process, (payload) => void ran.push(payload as number), { concurrency: 3 });
      await Promise.all(Array.from({ length: 60 }, (_value, index) => (index % 2 ? here : there).queue.add('test.work', index)));
      await until(() => expect(ran.length).toBeGreaterThanOrEqual(60));
      await until(async () => expect((await here.queue.list({ state: 'done' }, { page: 1, limit: 1 })).total).toBe(60));
      expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_value, index) => index));
    });

    it('adds nothing when the transaction around it rolls back, and begins nothing before it commits', async () => {
      const process = await newProcess();
      const ran: unknown[] = [];
      handle(process, (payload) => void ran.push(payload));
      const failed = process.database.transaction(async () => {
        await process.queue.add('test.work', 'rolled back');
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      const id = await process.database.transaction(async () => {
        const added = await process.queue.add('test.work', 'committed');
        expect(ran).toEqual([]);
        return added;
      });
      await reaches(process, id, 'done');
      expect(ran).toEqual(['committed']);
      expect((await process.queue.list({}, { page: 1, limit: 10 })).total).toBe(1);
    });

    it('adds no second one with a key that waits or runs, and one more when it is finished', async () => {
      const process = await newProcess();
      const { opened, open } = gate();
      let runs = 0;
      handle(process, async () => {
        runs += 1;
        await opened;
      });
      const first = await process.queue.add('test.work', 1, { key: 'a' });
      await until(() => expect(runs).toBe(1));
      expect(await process.queue.add('test.work', 2, { key: 'a' })).toBe(first);
      const other = await process.queue.add('test.work', 3, { key: 'b' });
      expect(other).not.toBe(first);
      expect(await process.queue.add('test.work', 4, { key: 'b' })).toBe(other);
      open();
      await reaches(process, first, 'done');
      const second = await process.queue.add('test.work', 5, { key: 'a' });
      expect(second).not.toBe(first);
      await reaches(process, second, 'done');
      await reaches(process, other, 'done');
      expect(runs).toBe(3);
    });

    it('lets the smaller priority go first, and keeps the order of those that are alike', async () => {
      const process = await newProcess();
      const order: unknown[] = [];
      for (const [payload, priority] of [
        ['late', 30],
        ['first', undefined],
        ['second', 10],
        ['urgent', 1],
      ] as const)
        await process.queue.add('test.work', payload, { priority });
      handle(process, (payload) => void order.push(payload));
      await until(() => expect(order).toEqual(['urgent', 'first', 'second', 'late']));
    });

    it('waits for the time a task is to run at', async () => {
      const process = await newProcess();
      const order: unknown[] = [];
      handle(process, (payload) => void order.push(payload));
      const later = await process.queue.add('test.work', 'later', { runAt: new Date(Date.now() + 1_500) });
      const much = await process.queue.add('test.work', 'much later', { runAt: new Date(Date.now() + 3_600_000) });
      await process.queue.add('test.work', 'now');
      expect(await process.queue.find(later)).toMatchObject({ state: 'waiting' });
      await reaches(process, later, 'done');
      expect(order).toEqual(['now', 'later']);
      expect((await process.queue.find(much))!.dueAt.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
    });

    it('tries again what fails, tells why meanwhile, and gives up after its attempts', async () => {
      const process = await newProcess();
      const attempts: number[] = [];
      const fail = (_payload: unknown, { attempt }: TaskTurn): void => {
        attempts.push(attempt);
        throw new Error(`no luck ${attempt}`);
      };
      handle(process, fail, { attempts: 2, backoffSeconds: 1 });
      const id = await process.queue.add('test.work', null);
      await until(async () => expect(await process.queue.find(id)).toMatchObject({ state: 'waiting', error: 'no luck 1', attempts: 1 }));
      await reaches(process, id, 'failed');
      expect(attempts).toEqual([1, 2]);
      expect(await process.queue.find(id)).toMatchObject({ error: 'no luck 2', attempts: 2 });
    });

    it('has a failed one run again by hand, with its key', async () => {
      const process = await newProcess();
      let broken = true;
      handle(process, () => {
        if (broken) throw new FinalFailure('The address does not exist.');
      });
      const id = await process.queue.add('test.work', null, { key: 'k' });
      await reaches(process, id, 'failed');
      expect(await process.queue.find(id)).toMatchObject({ attempts: 1, error: 'The address does not exist.' });
      broken = false;
      expect(await process.queue.retry(id)).toBe(true);
      await reaches(process, id, 'done');
      expect(await process.queue.retry(id)).toBe(false);
      expect(await process.queue.retry('99999999')).toBe(false);
    });

    it('ends a task that waits when it is cancelled', async () => {
      const process = await newProcess();
      const id = await process.queue.add('test.work', null, { key: 'k' });
      expect(await process.queue.find(id)).toMatchObject({ state: 'waiting', handled: false });
      expect(await process.queue.cancel(id)).toBe(true);
      // An adapter may keep it for the list or remove it.
      expect((await process.queue.find(id))?.state ?? 'cancelled').toBe('cancelled');
      expect(await process.queue.cancel(id)).toBe(false);
      const ran: unknown[] = [];
      handle(process, (payload) => void ran.push(payload));
      const next = await process.queue.add('test.work', 'next', { key: 'k' });
      await reaches(process, next, 'done');
      expect(ran).toEqual(['next']);
    });

    it('tells a running task that it is cancelled, also one of another process', async () => {
      const [here, there] = [await newProcess(), await newProcess()];
      const reasons: string[] = [];
      const wait = async (_payload: unknown, { signal }: TaskTurn): Promise<void> => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        reasons.push((signal.reason as Error).message);
        signal.throwIfAborted();
      };
      handle(there, wait, { concurrency: 2 });
      for (const canceller of [there, here]) {
        const id = await there.queue.add('test.work', null);
        await reaches(there, id, 'running');
        expect(await canceller.queue.cancel(id)).toBe(true);
        await reaches(there, id, 'cancelled');
      }
      expect(reasons).toEqual(['The task was cancelled.', 'The task was cancelled.']);
    });

    it('shows how far a task is while it runs', async () => {
      const process = await newProcess();
      const { opened, open } = gate();
      handle(process, async (_payload, { progress }) => {
        for (let done = 0; done <= 40; done += 1) progress(done, 100, `host ${done}`);
        await opened;
        progress(100, 100);
      });
      const id = await process.queue.add('test.work', null);
      await until(async () =>
        expect(await process.queue.find(id)).toMatchObject({ state: 'running', progress: { done: 40, total: 100, note: 'host 40' } }),
      );
      open();
      await reaches(process, id, 'done');
      expect((await process.queue.find(id))!.progress).toMatchObject({ done: 100, total: 100 });
    });

    it('keeps what nobody here can do until somebody can, and shows it as that', async () => {
      const process = await newProcess();
      const remove = handle(process, () => undefined);
      remove();
      const id = await process.queue.add('test.work', null);
      expect(await process.queue.find(id)).toMatchObject({ state: 'waiting', handled: false, attempts: 0 });
      const other = await newProcess();
      handle(other, () => undefined);
      await reaches(process, id, 'done');
    });

    it('lists by state and name, newest first', async () => {
      const process = await newProcess();
      const ids: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        ids.push(await process.queue.add(index < 3 ? 'test.work' : 'test.other', index));
        const added = Date.now();
        // The order of age has a resolution of one millisecond.
        await until(() => expect(Date.now()).toBeGreaterThan(added));
      }
      const list = async (filter: object, page: number, limit: number) => {
        const { total, tasks } = await process.queue.list(filter, { page, limit });
        return [total, tasks.map((task) => ids.indexOf(task.id))];
      };
      expect(await list({}, 1, 3)).toEqual([5, [4, 3, 2]]);
      expect(await list({}, 2, 3)).toEqual([5, [1, 0]]);
      expect(await list({ state: 'waiting', name: 'test.work' }, 1, 10)).toEqual([3, [2, 1, 0]]);
      expect(await list({ state: 'cancelled' }, 1, 10)).toEqual([0, []]);
      expect(await list({ name: 'test.none' }, 1, 10)).toEqual([0, []]);
    });

    it('keeps nothing of what is done where its handler says so', async () => {
      const process = await newProcess();
      const ran: unknown[] = [];
      handle(process, (payload) => void ran.push(payload), { forgetDone: true });
      const id = await process.queue.add('test.work', 1);
      await until(async () => expect(await process.queue.find(id)).toBeNull());
      expect(ran).toEqual([1]);
    });

    it('runs again what a killed process had, elsewhere and under the next number', async () => {
      const [here, there] = [await newProcess(), await newProcess()];
      const attempts: string[] = [];
      const { opened, open } = gate();
      handle(here, async (_payload, { attempt }) => {
        attempts.push(`here ${attempt}`);
        await opened;
        return 'late';
      });
      const id = await here.queue.add('test.work', null);
      await until(() => expect(attempts).toEqual(['here 1']));
      await here.kill();
      handle(there, (_payload, { attempt }) => {
        attempts.push(`there ${attempt}`);
        return 'there';
      });
      await reaches(there, id, 'done');
      open();
      expect(attempts).toEqual(['here 1', 'there 2']);
      expect(await there.queue.find(id)).toMatchObject({ state: 'done', result: 'there', attempts: 2 });
    });

    it('fails a task that takes every process with it', async () => {
      const id = await (await newProcess()).queue.add('test.work', null);
      for (let attempt = 1; attempt <= 2; attempt += 1) {
        const victim = await newProcess();
        let begun = false;
        handle(
          victim,
          () => {
            begun = true;
            return new Promise(() => undefined);
          },
          { attempts: 2 },
        );
        await until(() => expect(begun).toBe(true));
        await victim.kill();
      }
      const last = await newProcess();
      const ran: unknown[] = [];
      handle(last, () => void ran.push('ran'), { attempts: 2 });
      await reaches(last, id, 'failed');
      expect(await last.queue.find(id)).toMatchObject({ error: 'tasks.process_gone' });
      expect(ran).toEqual([]);
    });

    it('gives back what runs when the process ends, without an attempt spent', async () => {
      const [here, there] = [await newProcess(), await newProcess()];
      let begun = 0;
      handle(here, async (_payload, { signal }) => {
        begun += 1;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        signal.throwIfAborted();
      });
      const id = await here.queue.add('test.work', null);
      await until(() => expect(begun).toBe(1));
      await here.stop();
      expect(await there.queue.find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
      const attempts: number[] = [];
      handle(there, (_payload, { attempt }) => void attempts.push(attempt));
      await reaches(there, id, 'done');
      expect(attempts).toEqual([1]);
    });

    it('refuses by name what it cannot keep', async () => {
      const { queue } = await newProcess();
      await expect(queue.add('no name', null)).rejects.toThrow('needs a name');
      await expect(queue.add('test.work', 'x'.repeat(60_000))).rejects.toThrow('60000 bytes');
      await expect(queue.add('test.work', () => undefined)).rejects.toThrow('needs a JSON payload');
      await expect(queue.add('test.work', 1, { priority: 0 })).rejects.toThrow('priority of 1 to 1000');
      await expect(queue.add('test.work', 1, { key: '' })).rejects.toThrow('key of 1 to 120');
      await expect(queue.add('test.work', 1, { runAt: new Date(Number.NaN) })).rejects.toThrow('a valid time to run at');
      expect(await queue.find('nonsense')).toBeNull();
      expect(await queue.cancel('-1')).toBe(false);
    });
  });
}

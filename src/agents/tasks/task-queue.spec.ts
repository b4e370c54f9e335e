import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createAgentNode } from '../../../test/support/agent.js';
import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import type { Database } from '../../database/index.js';
import { NodeTask } from '../entities/index.js';
import { NodeApiError } from '../node-api-error.js';
import type { BackgroundQueue } from '../../jobs/index.js';
import type { ScanDays } from '../scans/scan-days.js';
import type { ScanIntake } from '../scans/scan-intake.js';
import type { QuarantineEnds } from '../scans/quarantine-ends.js';
import type { KeptScan } from '../scans/scan-report.js';
import { ScanStore } from '../scans/scan-store.js';
import { LEASE_SECONDS, MAX_ATTEMPTS } from '../wire/index.js';

import { TaskQueue, type ClaimedAgentTask } from './task-queue.js';
import { TaskSignals } from './task-signals.js';
import { TaskReports } from '../api/task-reports.js';

const LEASE_MS = LEASE_SECONDS * 1_000;

let database: Database;
let dispose: () => Promise<void>;
let queue: TaskQueue;
let reports: TaskReports;
let nodeId: string;
let nodes = 0;
const clock = new ManualClock();

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
  queue = new TaskQueue(database, clock);
  // What follows of scans is none of this: they are empty here.
  const intake = { of: (_nodeId: string, scan: KeptScan) => Promise.resolve({ ...scan, contentKey: '' }) } as unknown as ScanIntake;
  const days = { count: () => Promise.resolve() } as unknown as ScanDays;
  reports = new TaskReports(
    database,
    queue,
    new ScanStore(database, clock, days, {} as BackgroundQueue),
    intake,
    {} as QuarantineEnds,
    new TaskSignals(database, clock),
  );
});
afterAll(() => dispose());
beforeEach(async () => {
  nodeId = await newNode();
});

async function newNode(): Promise<string> {
  nodes += 1;
  return (await createAgentNode(database, `node-${nodes}`)).nodeId;
}
const addOne = async (): Promise<string> => (await queue.add([nodeId], 'ping', { n: 1 }))[0]!;
const row = (taskId: string): Promise<NodeTask> => database.repository(NodeTask).findOneByOrFail({ taskId });
const success = (task_id: string, attempt?: number) => ({ task_id, status: 'success', result: { message: 'pong' }, attempt });

describe('pulling', () => {
  it('returns the oldest task first, one at a time, and only tasks of the node', async () => {
    const other = await newNode();
    const [first] = await queue.add([nodeId], 'ping', {});
    const [foreign] = await queue.add([other], 'ping', {});
    const [second] = await queue.add([nodeId], 'forbidden_scan', { root: '/www' });
    expect(await queue.claim(nodeId)).toMatchObject({ taskId: first, action: 'ping', attempt: 1 });
    expect(await queue.claim(nodeId)).toMatchObject({ taskId: second, payload: { root: '/www' } });
    expect(await queue.claim(nodeId)).toBeNull();
    expect(await queue.claim(other)).toMatchObject({ taskId: foreign });
    await expect(reports.take(nodeId, success(foreign!))).rejects.toThrow(expect.objectContaining({ code: 'TASK_UNKNOWN' }));
    await expect(reports.extend(nodeId, { task_id: foreign })).rejects.toThrow(expect.objectContaining({ code: 'TASK_UNKNOWN' }));
  });

  it('gives 100 tasks to 100 concurrent requests, each once', async () => {
    const added = await queue.add(
      Array.from({ length: 100 }, () => nodeId),
      'ping',
      {},
    );
    const pulled = await Promise.all(added.map(() => queue.claim(nodeId)));
    expect(new Set(pulled.map((task) => task!.taskId))).toEqual(new Set(added));
    expect(await queue.claim(nodeId)).toBeNull();
  });
});

describe('leases', () => {
  it('requeue a task when they expire, at most three times, and then store the reason of the failure', async () => {
    const taskId = await addOne();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect(await queue.claim(nodeId)).toMatchObject({ taskId, attempt });
      clock.advance(LEASE_MS - 1);
      expect(await queue.claim(nodeId)).toBeNull();
      clock.advance(1);
    }
    expect(await queue.claim(nodeId)).toBeNull();
    const task = await row(taskId);
    expect(task).toMatchObject({ status: 'failed', attempts: MAX_ATTEMPTS, leaseUntil: null });
    expect(task.error).toContain('领取 3 次');
    expect(task.finishedAt).toEqual(clock.now());
  });

  it('are also reclaimed by the clock while no agent polls', async () => {
    const taskIds = await queue.add(
      Array.from({ length: 3 }, () => nodeId),
      'ping',
      {},
    );
    for (const _ of taskIds) await queue.claim(nodeId);
    clock.advance(LEASE_MS);
    expect(await queue.reclaimEnded()).toBeGreaterThanOrEqual(3);
    expect(await queue.reclaimEnded()).toBe(0);
    for (const taskId of taskIds) expect(await row(taskId)).toMatchObject({ status: 'pending', attempts: 1, leaseUntil: null });
  });

  it('expire at once if the restarted agent no longer has the task', async () => {
    const [lost, kept, action] = [await addOne(), await addOne(), await addOne()];
    const other = await newNode();
    const [others] = await queue.add([other], 'ping', {});
    await database.repository(NodeTask).update({ taskId: action }, { deadline: new Date(clock.now().getTime() + 2 * LEASE_MS) });
    for (const taskId of [lost, kept, action]) expect(await queue.claim(nodeId)).toMatchObject({ taskId });
    await queue.claim(other);
    await queue.endLeases(nodeId, new Set([kept]));
    expect(await queue.claim(nodeId)).toMatchObject({ taskId: lost, attempt: 2 });
    expect(await queue.claim(nodeId)).toBeNull();
    expect(await row(action)).toMatchObject({ status: 'expired', leaseUntil: null });
    for (const taskId of [kept, others!]) expect(await row(taskId)).toMatchObject({ status: 'running', attempts: 1 });
    await queue.endLeases(nodeId, new Set([kept]));
    await queue.claim(nodeId);
    await queue.endLeases(nodeId, new Set([kept]));
    expect(await row(lost)).toMatchObject({ status: 'failed', attempts: MAX_ATTEMPTS });
  });

  it('are renewed by their holder', async () => {
    const taskId = await addOne();
    await queue.claim(nodeId);
    clock.advance(LEASE_MS - 1_000);
    expect(await reports.extend(nodeId, { task_id: taskId, attempt: 1 })).toBe(taskId);
    clock.advance(LEASE_MS - 1_000);
    expect(await queue.claim(nodeId)).toBeNull();
    clock.advance(1_000);
    expect(await queue.claim(nodeId)).toMatchObject({ attempt: 2 });
    for (const attempt of [1, 3, 'x', -1, 1.5]) {
      await expect(reports.extend(nodeId, { task_id: taskId, attempt })).rejects.toThrow(expect.objectContaining({ code: 'LEASE_LOST' }));
    }
    await expect(reports.extend(nodeId, {})).rejects.toThrow(NodeApiError);
  });
});

describe('reports', () => {
  it('finish a task once; a repeated report is accepted and changes nothing', async () => {
    const taskId = await addOne();
    await expect(reports.take(nodeId, success(taskId))).rejects.toThrow(expect.objectContaining({ code: 'TASK_NOT_PULLED' }));
    await queue.claim(nodeId);
    expect(await reports.take(nodeId, success(taskId))).toEqual({ accepted: true });
    expect(await reports.take(nodeId, { task_id: taskId, status: 'failed', error: 'later' })).toEqual({ accepted: false });
    expect(await row(taskId)).toMatchObject({ status: 'success', result: { message: 'pong' }, error: '', leaseUntil: null });
  });

  it('are accepted after the lease expired until another agent has the task', async () => {
    for (const reclaim of [false, true]) {
      const taskId = await addOne();
      await queue.claim(nodeId);
      clock.advance(2 * LEASE_MS);
      if (reclaim) await queue.reclaimEnded();
      expect(await reports.take(nodeId, success(taskId, 1))).toEqual({ accepted: true });
      expect(await row(taskId)).toMatchObject({ status: 'success' });
      expect(await queue.claim(nodeId)).toBeNull();
    }
    const taskId = await addOne();
    await queue.claim(nodeId);
    clock.advance(LEASE_MS);
    await queue.claim(nodeId);
    expect(await reports.take(nodeId, success(taskId, 1))).toEqual({ accepted: false });
    expect(await row(taskId)).toMatchObject({ status: 'running', attempts: 2 });
    expect(await reports.take(nodeId, success(taskId, 2))).toEqual({ accepted: true });
  });

  it('require a task and a status', async () => {
    const wrong: [object, string][] = [
      [{ status: 'success' }, 'TASK_ID_MISSING'],
      [{ task_id: '', status: 'success' }, 'TASK_ID_MISSING'],
      [{ task_id: 'nothing', status: 'success' }, 'TASK_UNKNOWN'],
      [{ task_id: ['a'], status: 'success' }, 'TASK_UNKNOWN'],
      [{ task_id: "' OR 1=1 --", status: 'success' }, 'TASK_UNKNOWN'],
      [{ task_id: 'a\u0000b', status: 'failed' }, 'TASK_UNKNOWN'],
      [{ task_id: await addOne(), status: 'done' }, 'REPORT_STATUS'],
      [{ task_id: 'x' }, 'REPORT_STATUS'],
    ];
    for (const [report, code] of wrong) await expect(reports.take(nodeId, report)).rejects.toThrow(expect.objectContaining({ code }));
  });

  it('are truncated to the limits', async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 50_000; i += 1) deep = [deep];
    for (const result of [{ text: 'x'.repeat(1_000_000) }, deep, '\ud800\u0000', null, 7, ['你好'.repeat(50_000)]]) {
      const taskId = await addOne();
      await queue.claim(nodeId);
      expect(await reports.take(nodeId, { task_id: taskId, status: 'failed', result, error: '错'.repeat(1_000_000) })).toEqual({
        accepted: true,
      });
      const kept = await row(taskId);
      expect(kept.error).toHaveLength(4_000);
      expect(Buffer.byteLength(JSON.stringify(kept.result))).toBeLessThan(61_000);
    }
  });
});

type Step =
  | { kind: 'pull' }
  | { kind: 'reclaim' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'report' | 'extend'; task: number; attempt: number | undefined; status: 'success' | 'failed' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ kind: 'pull' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'reclaim' }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 2 * LEASE_SECONDS }).map((seconds): Step => ({ kind: 'wait', seconds })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('report' as const, 'extend' as const),
        fc.nat(2),
        fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
        fc.constantFrom('success' as const, 'failed' as const),
      )
      .map(([kind, task, attempt, status]): Step => ({ kind, task, attempt, status })),
  },
);

/** Whatever is asked at once, in whatever order: see the expectations. */
it('a task has one owner at a time, at most three attempts and a final state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 14 }), async (rounds) => {
      const node = await newNode();
      const tasks = await queue.add([node, node, node], 'ping', {});
      const claims: ClaimedAgentTask[] = [];
      const ends = new Map<string, string>();
      const take = async (item: Step): Promise<void> => {
        if (item.kind === 'wait') return clock.advance(item.seconds * 1_000);
        if (item.kind === 'reclaim') return void (await queue.reclaimEnded());
        if (item.kind === 'pull') {
          const claim = await queue.claim(node);
          if (!claim) return;
          expect(claims.filter((earlier) => earlier.taskId === claim.taskId && earlier.attempt >= claim.attempt)).toEqual([]);
          claims.push(claim);
          return;
        }
        const [task_id, { attempt, status }] = [tasks[item.task]!, item];
        try {
          if (item.kind === 'extend') await reports.extend(node, { task_id, attempt });
          else if ((await reports.take(node, { task_id, attempt, status })).accepted) {
            expect(ends.has(task_id)).toBe(false);
            ends.set(task_id, status);
          }
        } catch (error) {
          if (!(error instanceof NodeApiError)) throw error;
        }
      };
      for (const round of rounds) {
        const before = await database.repository(NodeTask).findBy({ nodeId: node });
        const claimed = claims.length;
        await Promise.all(round.map(take));
        for (const was of before) {
          const is = await row(was.taskId);
          expect(is.attempts).toBeLessThanOrEqual(MAX_ATTEMPTS);
          expect(is.attempts).toBe(claims.filter(({ taskId }) => taskId === is.taskId).length);
          expect(is.status === 'running').toBe(is.leaseUntil !== null);
          // An end stays, and nobody gets the task again.
          if (was.finishedAt) expect(is).toEqual(was);
          // Nobody takes a task from an owner whose lease still runs.
          if (was.status === 'running' && was.leaseUntil! > clock.now()) {
            expect(claims.slice(claimed).map(({ taskId }) => taskId)).not.toContain(was.taskId);
          }
          if (ends.has(is.taskId)) expect(is.status).toBe(ends.get(is.taskId));
        }
      }
    }),
    { numRuns: 60 },
  );
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestPlace } from '../../../test/support/database.js';
import { connectAgain } from '../../../test/support/event-process.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { lookOnce } from '../../../test/support/monitor-runs.js';
import type { Database } from '../../database/index.js';
import type { NoticeDraft, Notices } from '../../notify/index.js';
import type { SiteSettings } from '../../site/index.js';
import type { Checks, CheckOutcome } from '../checks/index.js';
import { MonitorCheck, MonitorTask } from '../entities/index.js';

import { BATCH, CLAIM_MS, DueMonitors } from './due-monitors.js';
import { MaintenanceWindows } from './maintenance-windows.js';
import { MonitorRunner } from './monitor-runner.js';
import { firstRun, nextRun } from './next-run.js';
import type { NeutralTarget } from './neutral-target.js';
import { Outcomes } from './outcomes.js';
import { OwnNetwork } from './own-network.js';

let database: Database;
let place: TestPlace;
let dispose: () => Promise<void>;
let clock: ManualClock;
let told: NoticeDraft[];
/** Checks that all processes ran. */
let looked: number;
const OK: CheckOutcome = { ok: true, code: 200, ms: 5, error: null, excerpt: '' };
const FAILED: CheckOutcome = { ...OK, ok: false, error: { key: 'monitor.problem.timeout' } };

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
beforeEach(async () => {
  await database.repository(MonitorTask).createQueryBuilder().delete().execute();
  clock = new ManualClock();
  told = [];
  looked = 0;
});

/** What one process has. */
function newProcess(connection = database, answer: CheckOutcome = OK) {
  const notices = { send: (draft: NoticeDraft) => Promise.resolve(told.push(draft)) } as unknown as Notices;
  const due = new DueMonitors(connection, clock);
  const network = new OwnNetwork(connection, clock, { current: { monitorNeutral: '' } } as SiteSettings, {} as NeutralTarget, notices);
  const outcomes = new Outcomes(connection, clock, notices, network);
  const checks = { run: () => Promise.resolve(((looked += 1), answer)) } as unknown as Checks;
  return { due, outcomes, runner: new MonitorRunner(due, new MaintenanceWindows(connection, clock), checks, outcomes) };
}
/** Lets processes of a connection look until nothing is due. @returns how many checks all processes ran meanwhile */
async function runDue(connection = database, answer: CheckOutcome = OK): Promise<number> {
  const before = looked;
  for (let last = -1; last !== looked;) {
    last = looked;
    await lookOnce(newProcess(connection, answer).runner);
  }
  return looked - before;
}

async function add(count: number, more: Partial<MonitorTask> = {}): Promise<void> {
  const now = clock.now();
  const rows = Array.from({ length: count }, (_value, at) => ({
    user: '',
    name: `m${at}`,
    url: 'http://a.test/',
    nextRunAt: now,
    createdAt: now,
    updatedAt: now,
    ...more,
  }));
  for (let at = 0; at < count; at += 200) await database.repository(MonitorTask).insert(rows.slice(at, at + 200));
}
const tasks = () => database.repository(MonitorTask).find({ order: { id: 'ASC' } });
const checked = () => database.repository(MonitorCheck).find({ order: { id: 'ASC' } });

describe('due monitors', () => {
  it('are each checked once by one of several processes', async () => {
    await add(450);
    const others = await Promise.all([connectAgain(place), connectAgain(place)]);
    await Promise.all([database, ...others].map((connection) => runDue(connection)));
    // Who loses a batch to another process asks again at its next look.
    await runDue();
    expect(looked).toBe(450);
    const seen = (await checked()).map(({ taskId }) => taskId);
    expect(seen).toHaveLength(450);
    expect(new Set(seen).size).toBe(450);
    expect(await runDue()).toBe(0);
    await Promise.all(others.map((other) => other.dataSource.destroy()));
  });

  it('of a killed process are checked by another after the claim expires, and late results are discarded', async () => {
    await add(3);
    const killed = newProcess();
    const { tasks: claimed } = await killed.due.claim(BATCH);
    expect(claimed).toHaveLength(3);
    clock.advance(CLAIM_MS - 1_000);
    expect(await runDue()).toBe(0);
    clock.advance(2_000);
    expect(await runDue()).toBe(3);
    await killed.outcomes.write(claimed.map((task) => ({ task, outcome: FAILED })));
    expect((await checked()).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect((await tasks()).map(({ state }) => state)).toEqual(['up', 'up', 'up']);
    expect(told).toEqual([]);
  });

  it('that were changed or deleted meanwhile keep the change', async () => {
    await add(2);
    const { due, outcomes } = newProcess();
    const { tasks: claimed } = await due.claim(BATCH);
    await database.repository(MonitorTask).update({ id: claimed[0]!.id }, { claim: null, url: 'http://b.test/' });
    await database.repository(MonitorTask).delete({ id: claimed[1]!.id });
    await outcomes.write(claimed.map((task) => ({ task, outcome: FAILED })));
    expect(await checked()).toEqual([]);
    expect(await tasks()).toMatchObject([{ state: 'pending', url: 'http://b.test/' }]);
    expect(told).toEqual([]);
  });

  it('that are disabled or not due are skipped', async () => {
    await add(1, { enabled: false });
    await add(1, { nextRunAt: new Date(clock.now().getTime() + 1) });
    expect(await runDue()).toBe(0);
  });

  it('send one notice per transition, together with the stored result', async () => {
    await add(1, { user: 'alice', notifyByEmail: false, failThreshold: 2, retrySeconds: 5 });
    for (let n = 0; n < 4; n += 1) {
      await runDue(database, FAILED);
      clock.advance(5_000);
    }
    expect(told.map(({ title, to, mail }) => [title.key, to, mail])).toEqual([['monitor.notice.down', { account: 'alice' }, false]]);
    expect((await checked()).map(({ notified }) => notified)).toEqual([false, true, false, false]);
    await runDue();
    expect(told.map(({ title, level }) => [title.key, level])).toEqual([
      ['monitor.notice.down', 'warning'],
      ['monitor.notice.up', 'success'],
    ]);
    expect(new Set(told.map(({ key }) => key)).size).toBe(2);
  });
});

it('that cannot be stored do not prevent others from being stored', async () => {
  await add(5, { user: 'alice' });
  const [bad] = await tasks();
  const { due, outcomes } = newProcess();
  const write = outcomes.write.bind(outcomes);
  outcomes.write = (checks) => (checks.some(({ task }) => task.id === bad!.id) ? Promise.reject(new Error('too long')) : write(checks));
  const checks = { run: () => Promise.resolve(FAILED) } as unknown as Checks;
  await lookOnce(new MonitorRunner(due, new MaintenanceWindows(database, clock), checks, outcomes));
  expect((await tasks()).map(({ state }) => state)).toEqual(['pending', 'down', 'down', 'down', 'down']);
  clock.advance(CLAIM_MS + 1);
  expect(await runDue()).toBe(5);
  expect((await tasks()).map(({ state }) => state)).toEqual(['up', 'up', 'up', 'up', 'up']);
});

describe('the next check', () => {
  it('keeps its interval however late a check was', () => {
    const due = new Date('2027-01-01T00:00:07.000Z');
    const task = { nextRunAt: due, intervalSeconds: 60, retrySeconds: 0 } as MonitorTask;
    expect(nextRun(task, true, new Date(due.getTime() + 900)).toISOString()).toBe('2027-01-01T00:01:07.000Z');
    expect(nextRun(task, true, new Date(due.getTime() + 185_000)).toISOString()).toBe('2027-01-01T00:04:07.000Z');
    expect(nextRun({ ...task, retrySeconds: 15 }, false, due).toISOString()).toBe('2027-01-01T00:00:22.000Z');
  });

  it('of new monitors is spread over the interval', () => {
    const now = clock.now();
    const times = Array.from({ length: 200 }, () => firstRun(60, now).getTime() - now.getTime());
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...times)).toBeLessThanOrEqual(60_000);
    expect(new Set(times.map((time) => Math.floor(time / 10_000))).size).toBeGreaterThan(3);
  });
});

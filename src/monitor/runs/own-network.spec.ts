import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createTestDatabase } from '../../../test/support/database.js';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { lookOnce } from '../../../test/support/monitor-runs.js';
import type { Database } from '../../database/index.js';
import type { NoticeDraft, Notices } from '../../notify/index.js';
import type { SiteSettings } from '../../site/index.js';
import type { CheckOutcome, Checks } from '../checks/index.js';
import { MonitorHold, MonitorTask } from '../entities/index.js';

import { DueMonitors } from './due-monitors.js';
import { MaintenanceWindows } from './maintenance-windows.js';
import { MonitorRunner } from './monitor-runner.js';
import type { NeutralTarget } from './neutral-target.js';
import { Outcomes } from './outcomes.js';
import { OwnNetwork } from './own-network.js';

const OK: CheckOutcome = { ok: true, code: 200, ms: 5, error: null, excerpt: '' };
const FAILED: CheckOutcome = { ...OK, ok: false, error: { key: 'monitor.problem.timeout' } };

let database: Database;
let dispose: () => Promise<void>;
let clock: ManualClock;
let told: NoticeDraft[];
let target: string;
let isOnline: boolean;
let failing: (task: MonitorTask) => boolean;
let asked: number;

beforeAll(async () => {
  ({ database, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
beforeEach(async () => {
  for (const entity of [MonitorTask, MonitorHold]) await database.repository<object>(entity).createQueryBuilder().delete().execute();
  clock = new ManualClock();
  [told, target, isOnline, failing, asked] = [[], 'neutral.test:443', true, () => false, 0];
});

/** What one process has; each knows nothing but the rows. */
function newProcess() {
  const notices = { send: (draft: NoticeDraft) => Promise.resolve(told.push(draft)) } as unknown as Notices;
  const neutral = { answers: () => Promise.resolve(((asked += 1), isOnline)) } as unknown as NeutralTarget;
  const settings = {
    get current() {
      return { monitorNeutral: target };
    },
  } as SiteSettings;
  const network = new OwnNetwork(database, clock, settings, neutral, notices);
  const checks = { run: (task: MonitorTask) => Promise.resolve(failing(task) ? FAILED : OK) } as unknown as Checks;
  const outcomes = new Outcomes(database, clock, notices, network);
  return {
    network,
    runner: new MonitorRunner(new DueMonitors(database, clock), new MaintenanceWindows(database, clock), checks, outcomes),
  };
}

async function add(count: number, hosts: number, more: Partial<MonitorTask> = {}): Promise<void> {
  const now = clock.now();
  await database.repository(MonitorTask).insert(
    Array.from({ length: count }, (_value, n) => ({
      user: '',
      name: `m${n}`,
      url: `http://host${n % hosts}.test/${n}`,
      nextRunAt: now,
      createdAt: now,
      updatedAt: now,
      ...more,
    })),
  );
}
const look = async (seconds = 60): Promise<void> => {
  await lookOnce(newProcess().runner);
  clock.advance(seconds * 1_000);
};
const states = async () => [...new Set((await database.repository(MonitorTask).find()).map(({ state }) => state))];
const titles = () => told.map(({ title }) => title.key.replace('monitor.notice.', ''));
const isOffline = () => ((failing = () => true), (isOnline = false));

describe('alarms', () => {
  it('are held while most monitors and the neutral target fail, and are not sent if the network recovers', async () => {
    await add(12, 6);
    await look();
    isOffline();
    await look();
    await look();
    expect([titles(), await states()]).toEqual([[], ['pending']]);
    expect(await newProcess().network.heldSince()).not.toBeNull();
    [failing, isOnline] = [() => false, true];
    await look();
    expect([titles(), await states()]).toEqual([[], ['up']]);
    await newProcess().network.review();
    expect(await database.repository(MonitorHold).count()).toBe(0);
  });

  it('are held for at most five minutes: then one notice explains it, and each is sent at its next check', async () => {
    await add(12, 6);
    isOffline();
    for (let minute = 0; minute < 5; minute += 1) await look();
    expect(titles()).toEqual([]);
    await Promise.all([newProcess().network.review(), newProcess().network.review()]);
    expect(titles()).toEqual(['network']);
    await look();
    expect(titles()).toEqual(['network', ...Array<string>(12).fill('down')]);
    expect(await newProcess().network.heldSince()).toBeNull();
    await look();
    await newProcess().network.review();
    expect(titles()).toHaveLength(13);
    isOnline = true;
    await newProcess().network.review();
    expect(await database.repository(MonitorHold).count()).toBe(0);
  });

  it('that are real are sent as soon as the neutral target responds', async () => {
    await add(12, 6);
    isOffline();
    await look();
    isOnline = true;
    await look();
    expect(titles()).toEqual(Array<string>(12).fill('down'));
  });

  it('are not held if the target responds or is not set, or if too few monitors or hosts fail', async () => {
    for (const [count, hosts, online, neutral, fails] of [
      [12, 6, true, 'neutral.test:443', 12],
      [12, 6, false, '', 12],
      [9, 9, false, 'neutral.test:443', 9],
      [12, 4, false, 'neutral.test:443', 12],
      [12, 6, false, 'neutral.test:443', 6],
    ] as const) {
      await database.repository(MonitorTask).createQueryBuilder().delete().execute();
      [told, isOnline, target] = [[], online, neutral];
      failing = ({ name }) => Number(name.slice(1)) < fails;
      await add(count, hosts);
      await look();
      expect([count, hosts, online, neutral, titles().length]).toEqual([count, hosts, online, neutral, fails]);
    }
    expect(await database.repository(MonitorHold).count()).toBe(0);
  });

  it('are not held for monitors that need no panel network, and monitors already down do not count', async () => {
    await add(12, 6);
    await add(1, 1, { type: 'push', url: '', name: 'push' });
    isOffline();
    await look();
    expect(told.map(({ title }) => title.params?.name)).toEqual(['push']);
    [told, isOnline] = [[], true];
    await look();
    expect(titles()).toHaveLength(12);
    isOnline = false;
    await add(3, 3, { name: 'late' });
    await look();
    expect(titles()).toHaveLength(15);
  });

  it('check the neutral target only if something fails', async () => {
    await add(12, 6);
    await look();
    expect(asked).toBe(0);
  });
});

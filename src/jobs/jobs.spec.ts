import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { connectAgain, gate } from '../../test/support/event-process.js';
import { createTestDatabase, type TestPlace } from '../../test/support/database.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { Clock, currentOwner } from '../common/index.js';
import { AppConfig, ConfigModule } from '../config/index.js';
import { CronRun, DatabaseModule, type Database } from '../database/index.js';

import { CronClaims, CronScheduler, Job, JobRegistry, JobsModule } from './index.js';

let database: Database;
let place: TestPlace;
let dispose: () => Promise<void>;
let clock: ManualClock;

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
beforeEach(async () => {
  await database.manager.createQueryBuilder().delete().from(CronRun).execute();
  clock = new ManualClock(new Date('2026-11-20T19:00:00.000Z'));
});
afterEach(() => {
  vi.useRealTimers();
});

/** The scheduler of one process and what it ran; its days are those of Shanghai. */
function newScheduler(connection = database, env: NodeJS.ProcessEnv = {}) {
  const ran: string[] = [];
  const jobs = new JobRegistry();
  const config = new AppConfig({ DATA_DIR: place.dataDir, ...env });
  const scheduler = new CronScheduler(config, clock, new CronClaims(connection, clock), jobs, () => ran.push('cron'));
  const every = (name: string, everyMinutes: number, run: () => void | Promise<void> = () => void ran.push(name)) =>
    jobs.add({ owner: 'core', name, everyMinutes, run });
  const daily = (name: string, dailyAt: string) => jobs.add({ owner: 'core', name, dailyAt, run: () => void ran.push(name) });
  const tick = async (): Promise<string[]> => {
    ran.length = 0;
    await scheduler.tick(clock.now());
    return [...ran];
  };
  return { scheduler, jobs, ran, every, daily, tick };
}

const minutes = (count: number): void => clock.advance(count * 60_000);

describe('the tick', () => {
  it('runs in one process of several, once a minute, jobs first, then the hook', async () => {
    const other = await connectAgain(place);
    const [here, there] = [newScheduler(), newScheduler(other)];
    here.every('work', 1);
    there.every('work', 1);
    for (let round = 1; round <= 5; round += 1) {
      const ran = await Promise.all([here.tick(), there.tick()]);
      expect(ran.flat()).toEqual(['work', 'cron']);
      expect(await here.tick()).toEqual([]);
      minutes(1);
    }
    await other.dataSource.destroy();
  });

  it('runs each job at the minutes its period divides', async () => {
    const { every, tick } = newScheduler();
    every('five', 5);
    every('hour', 60);
    const ran: string[] = [];
    for (let minute = 0; minute < 61; minute += 1) {
      ran.push(...(await tick()).filter((name) => name !== 'cron').map((name) => `${name} ${minute}`));
      minutes(1);
    }
    const expected = Array.from({ length: 13 }, (_value, index) => `five ${index * 5}`);
    expect(ran.filter((name) => name.startsWith('five'))).toEqual(expected);
    expect(ran.filter((name) => name.startsWith('hour'))).toEqual(['hour 0', 'hour 60']);
  });

  it('runs a daily job once a day in the configured zone, later when nothing was up at its time', async () => {
    const first = newScheduler();
    first.daily('night', '04:10');
    minutes(69);
    expect(await first.tick()).toEqual(['cron']);
    minutes(1);
    expect(await first.tick()).toEqual(['night', 'cron']);
    minutes(1);
    expect(await first.tick()).toEqual(['cron']);
    const restarted = newScheduler();
    restarted.daily('night', '04:10');
    minutes(1);
    expect(await restarted.tick()).toEqual(['cron']);
    minutes(26 * 60);
    expect(await restarted.tick()).toEqual(['night', 'cron']);
  });

  it('goes on after a job, or the hook, that throws', async () => {
    const { every, tick, jobs, scheduler } = newScheduler();
    every('broken', 1, () => {
      throw new Error('no');
    });
    every('rejected', 1, () => Promise.reject(new Error('no')));
    every('fine', 1);
    expect(await tick()).toEqual(['fine', 'cron']);
    expect(jobs.list().map((job) => jobs.report(job)?.error)).toEqual(['no', 'no', null]);
    const failingHook = new CronScheduler(place.config, clock, new CronClaims(database, clock), jobs, () =>
      Promise.reject(new Error('no')),
    );
    minutes(1);
    expect(await failingHook.tick(clock.now())).toBe(true);
    await scheduler.onModuleDestroy();
  });

  it('goes on beside a job that never ends, and does not start that a second time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { every, tick, scheduler, ran } = newScheduler();
    let starts = 0;
    const begun = gate();
    const block = gate();
    every('hangs', 1, () => {
      starts += 1;
      begun.open();
      return block.opened;
    });
    every('fine', 1);
    const first = tick();
    await begun.opened;
    vi.advanceTimersByTime(20_000);
    expect(await first).toEqual(['fine', 'cron']);
    minutes(1);
    expect(await tick()).toEqual(['fine', 'cron']);
    expect(starts).toBe(1);
    let ended = false;
    const stopping = scheduler.onModuleDestroy().then(() => (ended = true));
    expect(ended).toBe(false);
    block.open();
    await stopping;
    ran.length = 0;
    minutes(1);
    expect(await scheduler.tick(clock.now())).toBe(false);
    expect(ran).toEqual([]);
  });

  it('forgets old claims, and only those', async () => {
    const { tick, daily } = newScheduler();
    daily('night', '04:00');
    await tick();
    minutes(3 * 24 * 60 + 61);
    await tick();
    await new CronClaims(database, clock).removeOld();
    const keys = (await database.repository(CronRun).find({ order: { key: 'ASC' } })).map((row) => row.key);
    expect(keys).toEqual(['core:night@2026-11-24', 'tick:2026-11-23T20:01']);
  });

  it('belongs to worker processes, and a timer that is a little early counts for its minute', async () => {
    const panel = newScheduler(database, { SERVICES: 'panel' });
    await panel.scheduler.onMinute();
    expect(panel.ran).toEqual([]);
    const worker = newScheduler();
    clock.advance(-3);
    await worker.scheduler.onMinute();
    clock.advance(60_000 + 7);
    await worker.scheduler.onMinute();
    expect(worker.ran).toEqual(['cron', 'cron']);
    const keys = (await database.repository(CronRun).find({ order: { key: 'ASC' } })).map((row) => row.key);
    expect(keys).toEqual(['tick:2026-11-20T19:00', 'tick:2026-11-20T19:01']);
  });
});

describe('the registry', () => {
  it('takes a job away with its undo, books it under its owner, refuses wrong declarations', async () => {
    const { jobs, tick } = newScheduler();
    const owners: string[] = [];
    const undo = jobs.add({ owner: 'shop', name: 'a', everyMinutes: 1, run: () => void owners.push(currentOwner()) });
    await tick();
    undo();
    undo();
    minutes(1);
    await tick();
    expect(owners).toEqual(['shop']);
    const run = (): void => undefined;
    jobs.add({ owner: 'shop', name: 'a', everyMinutes: 1, run });
    expect(() => jobs.add({ owner: 'shop', name: 'a', everyMinutes: 1, run })).toThrow('already');
    for (const everyMinutes of [0, 1.5, 1_441, NaN]) {
      expect(() => jobs.add({ owner: 'shop', name: 'b', everyMinutes, run })).toThrow('1 to 1440');
    }
    for (const dailyAt of ['4:10', '24:00', '04:60', '']) {
      expect(() => jobs.add({ owner: 'shop', name: 'b', dailyAt, run })).toThrow('04:10');
    }
    expect(() => jobs.add({ owner: 'shop', name: 'x'.repeat(80), everyMinutes: 1, run })).toThrow('80 characters');
  });
});

it('runs what carries @Job as a job of the panel, and refuses a declaration no tick can meet', async () => {
  class Sweep {
    swept = 0;

    @Job({ name: 'sweep', everyMinutes: 5 })
    run(): number {
      return (this.swept += 1);
    }
  }
  class Never {
    @Job({ name: 'never', everyMinutes: 0 })
    run(): void {}
  }
  const moduleWith = async (provider: new () => object) =>
    Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(place.config),
        DatabaseModule.forRoot(await connectAgain(place)),
        JobsModule.forRoot({ cronHook: () => () => undefined }),
      ],
      providers: [provider],
    }).compile();
  const application = await moduleWith(Sweep);
  await application.init();
  const jobs = application.get(JobRegistry);
  const job = jobs.list().find(({ name }) => name === 'sweep')!;
  expect(job).toMatchObject({ owner: 'core', everyMinutes: 5 });
  await jobs.runAll([job], clock.now());
  expect(application.get(Sweep).swept).toBe(1);
  await application.close();
  const refused = await moduleWith(Never);
  await expect(refused.init()).rejects.toThrow('1 to 1440 minutes');
  await refused.close();
});

it('the module schedules the tick for each full minute and fires the hook it was given', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-20T19:00:30.000Z'), toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const fired: string[] = [];
  const reached = gate();
  const application = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(place.config),
      DatabaseModule.forRoot(await connectAgain(place)),
      JobsModule.forRoot({
        inject: [Clock],
        cronHook: (_clock: Clock) => () => {
          fired.push('cron');
          reached.open();
        },
      }),
    ],
  }).compile();
  await application.init();
  vi.advanceTimersByTime(29_000);
  expect(await database.repository(CronRun).count()).toBe(0);
  vi.advanceTimersByTime(2_000);
  await reached.opened;
  expect(fired).toEqual(['cron']);
  expect((await database.repository(CronRun).find()).map((row) => row.key)).toContain('tick:2026-11-20T19:01');
  await application.close();
});

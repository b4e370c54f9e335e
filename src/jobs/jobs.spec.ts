import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { connectAgain, gate } from '../../test/support/event-process.js';
import { createTestDatabase, type TestPlace } from '../../test/support/database.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { Clock, currentOwner } from '../common/index.js';
import { AppConfig, ConfigModule } from '../config/index.js';
import { DatabaseModule, type Database } from '../database/index.js';

import { CronScheduler, Job, JobRegistry, JobRun, JobRunner, JobRuns, JobsModule, type JobTurn } from './index.js';

let database: Database;
let place: TestPlace;
let dispose: () => Promise<void>;
let clock: ManualClock;

beforeAll(async () => {
  ({ database, place, dispose } = await createTestDatabase());
});
afterAll(() => dispose());
beforeEach(async () => {
  await database.dataSource.manager.createQueryBuilder().delete().from(JobRun).execute();
  clock = new ManualClock(new Date('2026-11-20T19:00:00.000Z'));
});
afterEach(() => {
  vi.useRealTimers();
});

/** The scheduler of one process and what it ran; its days are those of Shanghai. */
function newScheduler(connection = database, env: NodeJS.ProcessEnv = {}, own: Clock = clock, starts = true) {
  const ran: string[] = [];
  const jobs = new JobRegistry();
  const config = new AppConfig({ DATA_DIR: place.dataDir, ...env });
  const runs = new JobRuns(connection, own);
  const runner = new JobRunner(runs);
  const scheduler = new CronScheduler(config, own, runs, runner, jobs, () => ran.push('cron'));
  if (starts) scheduler.start();
  const every = (name: string, everyMinutes: number, run: (turn: JobTurn) => unknown = () => void ran.push(name), more: object = {}) =>
    jobs.add({ owner: 'core', name, everyMinutes, run, ...more });
  const daily = (name: string, dailyAt: string) => jobs.add({ owner: 'core', name, dailyAt, run: () => void ran.push(name) });
  const tick = async (): Promise<string[]> => {
    ran.length = 0;
    await scheduler.tick(own.now());
    return [...ran];
  };
  const stop = async (): Promise<void> => {
    await Promise.all([scheduler.onModuleDestroy(), runner.onModuleDestroy()]);
  };
  return { scheduler, runner, runs, jobs, ran, every, daily, tick, stop };
}

/** Waits for what comes of itself, however busy the machine is. */
const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000 });
const minutes = (count: number): void => clock.advance(count * 60_000);
const runsOf = (job: string): Promise<JobRun[]> => database.repository(JobRun).find({ where: { job }, order: { dueAt: 'ASC' } });

/** A minute in which a job says every five seconds that it is still at work. Timers are fake. */
async function workingMinute(runs: JobRuns, job: string): Promise<void> {
  for (let twelfth = 0; twelfth < 12; twelfth += 1) {
    clock.advance(5_000);
    await vi.advanceTimersByTimeAsync(5_000);
    await eventually(async () => expect((await runs.last(job))!.leaseUntil.getTime()).toBe(clock.now().getTime() + 20_000));
  }
}

describe('the tick', () => {
  it('runs each job in one process of several, once a minute, the hook last', async () => {
    const other = await connectAgain(place);
    const [here, there] = [newScheduler(), newScheduler(other)];
    for (const process of [here, there]) {
      process.every('work', 1);
      process.every('more', 1);
    }
    for (let round = 1; round <= 5; round += 1) {
      const ran = await Promise.all([here.tick(), there.tick()]);
      expect(ran.flat().sort()).toEqual(['cron', 'more', 'work']);
      for (const list of ran) expect(list.indexOf('cron')).toBeOneOf([-1, list.length - 1]);
      expect(await here.tick()).toEqual([]);
      minutes(1);
    }
    await other.dataSource.destroy();
  });

  it('runs each job once a minute though the clocks of the processes are four seconds apart', async () => {
    const other = await connectAgain(place);
    const [ahead, behind] = [new ManualClock(clock.now()), new ManualClock(clock.now())];
    const counts = new Map<string, number>();
    const count = (): void => {
      const due = [ahead, behind].map((own) => Math.round(own.now().getTime() / 60_000));
      counts.set(String(Math.max(...due)), (counts.get(String(Math.max(...due))) ?? 0) + 1);
    };
    const processes = [newScheduler(database, {}, ahead), newScheduler(other, {}, behind)];
    for (const { every } of processes) every('work', 1, count);
    for (let minute = 0; minute < 10; minute += 1) {
      // One clock shows the full minute, the other one not yet; then the other way round.
      ahead.advance(minute === 0 ? 2_000 : 60_000);
      await processes[0]!.scheduler.onMinute();
      behind.advance(minute === 0 ? -2_000 : 60_000);
      await processes[1]!.scheduler.onMinute();
    }
    expect([...counts.values()]).toEqual(Array(10).fill(1));
    expect((await runsOf('core:work')).length).toBe(10);
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

  it('makes up once for a time nobody was up for, where a job asks for that and ran before', async () => {
    const both = (process: ReturnType<typeof newScheduler>): void => {
      process.every('made-up', 60, undefined, { catchUp: true });
      process.every('left', 60);
    };
    minutes(7);
    const first = newScheduler();
    both(first);
    expect(await first.tick()).toEqual(['cron']);
    minutes(53);
    expect(await first.tick()).toEqual(['made-up', 'left', 'cron']);
    minutes(3 * 60 + 20);
    const restarted = newScheduler();
    both(restarted);
    expect(await restarted.tick()).toEqual(['made-up', 'cron']);
    minutes(1);
    expect(await restarted.tick()).toEqual(['cron']);
    expect((await runsOf('core:made-up')).map(({ dueAt }) => dueAt.toISOString().slice(11, 16))).toEqual(['20:00', '23:00']);
  });

  it('goes on after a job, or the hook, that throws, and writes down how each ended', async () => {
    const { every, tick, runs, stop, jobs } = newScheduler();
    every('broken', 1, () => {
      throw new Error('no');
    });
    every('rejected', 1, () => Promise.reject(new Error('no '.repeat(400))));
    every('fine', 1, () => 7);
    expect(await tick()).toEqual(['cron']);
    const last = await Promise.all(['broken', 'rejected', 'fine'].map((name) => runs.last(`core:${name}`)));
    expect(last).toMatchObject([
      { error: 'no', items: null, running: null },
      { error: 'no '.repeat(400).slice(0, 500), items: null, running: null },
      { error: null, items: 7, running: null, endedAt: clock.now() },
    ]);
    minutes(1);
    const failingHook = new CronScheduler(place.config, clock, runs, new JobRunner(runs), new JobRegistry(), () =>
      Promise.reject(new Error('no')),
    );
    expect(await failingHook.tick(clock.now())).toBe(true);
    expect(jobs.find('core:cron-hook')).toBeDefined();
    await stop();
  });

  it('goes on beside a job that never ends, and starts that a second time in no process', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { every, tick, scheduler, ran, runs, stop } = newScheduler();
    const other = await connectAgain(place);
    const there = newScheduler(other);
    let starts = 0;
    const begun = gate();
    const block = gate();
    for (const process of [{ every }, there])
      process.every('hangs', 1, () => {
        starts += 1;
        begun.open();
        return block.opened;
      });
    every('fine', 1);
    const first = tick();
    await begun.opened;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await first).toEqual(['fine', 'cron']);
    expect(await tick()).toEqual([]);
    await workingMinute(runs, 'core:hangs');
    expect(await tick()).toEqual(['fine', 'cron']);
    expect(await there.tick()).toEqual([]);
    expect(starts).toBe(1);
    let ended = false;
    const stopping = stop().then(() => (ended = true));
    expect(ended).toBe(false);
    block.open();
    await stopping;
    ran.length = 0;
    minutes(1);
    expect(await scheduler.tick(clock.now())).toBe(false);
    expect(ran).toEqual([]);
    vi.useRealTimers();
    await other.dataSource.destroy();
  });

  it('tells a job that takes too long to stop, and begins no other run of it before it has', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { every, tick, runs } = newScheduler();
    const begun = gate();
    const block = gate();
    let turn: JobTurn | undefined;
    every(
      'slow',
      1,
      (own) => {
        turn = own;
        begun.open();
        return block.opened;
      },
      { timeoutMinutes: 1 },
    );
    const first = tick();
    await begun.opened;
    await vi.advanceTimersByTimeAsync(50_000);
    expect(turn!.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    await first;
    expect(turn!.signal.reason).toMatchObject({ message: 'The job took longer than 1 minutes.' });
    for (let minute = 0; minute < 3; minute += 1) {
      await workingMinute(runs, 'core:slow');
      expect(await tick()).toEqual(['cron']);
    }
    block.open();
    await eventually(async () => expect(await runs.last('core:slow')).toMatchObject({ running: null, error: 'monitor.took_too_long' }));
    minutes(1);
    vi.useRealTimers();
    void tick();
    await eventually(async () => expect(await runsOf('core:slow')).toHaveLength(2));
  });

  it('runs the jobs of a process that died again, and what that says when it wakes up counts for nothing', async () => {
    const dead = new JobRuns(database, clock);
    const id = await dead.begin('core:work', clock.now());
    expect(id).toBeTypeOf('number');
    const { every, tick } = newScheduler();
    every('work', 1);
    clock.advance(25_000);
    expect(await tick()).toEqual(['cron']);
    expect(await runsOf('core:work')).toMatchObject([{ running: 'core:work' }]);
    minutes(1);
    expect(await tick()).toEqual(['work', 'cron']);
    expect(await dead.renew(id as number)).toBe(false);
    await dead.end(id as number, { items: 99, error: null });
    expect(await runsOf('core:work')).toMatchObject([
      { error: 'monitor.process_gone', items: null, running: null },
      { error: null, running: null },
    ]);
  });

  it('tells a run to stop that was taken for dead while its process did not run', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { runner, runs, jobs, every } = newScheduler();
    const block = gate();
    let turn: JobTurn | undefined;
    every('work', 1, (own) => {
      turn = own;
      return block.opened;
    });
    const started = await runner.start(jobs.find('core:work')!, clock.now());
    if (typeof started === 'string') throw new Error(started);
    clock.advance(26_000);
    expect(await runs.endCrashed()).toBe(1);
    vi.advanceTimersByTime(5_000);
    await eventually(() => expect(turn!.signal.aborted).toBe(true));
    block.open();
    await started.ended;
  });

  it('forgets old runs, and only those', async () => {
    const { tick, daily, runs } = newScheduler();
    daily('night', '04:00');
    minutes(61);
    await tick();
    minutes(3 * 24 * 60 + 60);
    await tick();
    expect(await runs.removeOld()).toBe(2);
    const kept = await database.repository(JobRun).find({ order: { job: 'ASC' } });
    expect(kept.map(({ job, dueAt }) => `${job} ${dueAt.toISOString().slice(5, 16)}`)).toEqual([
      'core:cron-hook 11-23T21:01',
      'core:night 11-23T20:00',
    ]);
  });

  it('does nothing at a full minute that passes while the process still starts', async () => {
    const { scheduler, ran } = newScheduler(database, {}, clock, false);
    await scheduler.onMinute();
    expect([ran, await runsOf('core:cron-hook')]).toEqual([[], []]);
    scheduler.start();
    await scheduler.onMinute();
    expect(ran).toEqual(['cron']);
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
    const dues = (await runsOf('core:cron-hook')).map(({ dueAt }) => dueAt.toISOString().slice(0, 16));
    expect(dues).toEqual(['2026-11-20T19:00', '2026-11-20T19:01']);
  });
});

describe('the registry', () => {
  it('takes a job away with its undo, records it under its owner, refuses wrong declarations', async () => {
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
    expect(() => jobs.add({ owner: 'shop', name: 'b', everyMinutes: 1, timeoutMinutes: 0, run })).toThrow('a timeout of');
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
  await job.run({ signal: new AbortController().signal });
  expect(application.get(Sweep).swept).toBe(1);
  await application.close();
  const refused = await moduleWith(Never);
  await expect(refused.init()).rejects.toThrow('1 to 1440 minutes');
  await refused.close();
});

it('the module schedules the tick for each full minute after the start and fires the hook it was given', async () => {
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
  vi.advanceTimersByTime(31_000);
  application.get(CronScheduler).start();
  vi.advanceTimersByTime(58_000);
  expect([fired, await database.repository(JobRun).count()]).toEqual([[], 0]);
  vi.advanceTimersByTime(2_000);
  await reached.opened;
  expect(fired).toEqual(['cron']);
  expect((await runsOf('core:cron-hook')).map(({ dueAt }) => dueAt.toISOString().slice(0, 16))).toEqual(['2026-11-20T19:02']);
  await application.close();
});

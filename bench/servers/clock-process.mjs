// One of the processes of bench/clock.mjs, on the compiled code: its clock is wrong by CLOCK_SKEW milliseconds and, like all timers,
// CLOCK_SPEED times as fast. Each minute a job records its run and adds two tasks, one within a transaction; handlers record their runs.
import { once } from 'node:events';

const speed = Number(process.env.CLOCK_SPEED);
for (const name of ['setTimeout', 'setInterval']) {
  const original = globalThis[name];
  globalThis[name] = Object.assign((work, wait, ...rest) => original(work, wait / speed, ...rest), original);
}

await import('#dist/src/config/timezone.js');
await import('reflect-metadata');
const { ormOptions } = await import('#dist/ormconfig.js');
const { Clock } = await import('#dist/src/common/index.js');
const { AppConfig } = await import('#dist/src/config/index.js');
const { createDatabase } = await import('#dist/src/database/index.js');
const jobs = await import('#dist/src/jobs/index.js');

const begin = Number(process.env.CLOCK_BEGIN);
const skew = Number(process.env.CLOCK_SKEW);
/** The real time that corresponds to `begin`; sent by the parent when all processes are ready. */
let since = Date.now();
const who = process.env.CLOCK_NAME;

class SkewedClock extends Clock {
  /** @override */
  now() {
    return new Date(begin + (Date.now() - since) * speed + skew);
  }
}

// Exits when the parent is gone.
process.once('disconnect', () => process.exit(0));

const MINUTE = 60_000;
const clock = new SkewedClock();
const config = new AppConfig();
const database = createDatabase(ormOptions(config));
await database.dataSource.initialize();
const note = (kind, subject, attempt) =>
  database.run('INSERT INTO clock_effect (kind, subject, attempt, who) VALUES (?, ?, ?, ?)', [kind, subject, attempt, who]);
const pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });

const registry = new jobs.JobRegistry();
const runs = new jobs.JobRuns(database, clock);
const runner = new jobs.JobRunner(runs);
// Jobs do not get the minute they run for; here they must record it.
const dueTimes = new WeakMap();
const start = runner.start.bind(runner);
runner.start = (job, dueAt) => start({ ...job, run: (turn) => (dueTimes.set(turn, dueAt), job.run(turn)) }, dueAt);
const scheduler = new jobs.CronScheduler(config, clock, runs, runner, registry);
scheduler.start();
const handlers = new jobs.TaskRegistry();
const records = new jobs.TaskRecords(database, clock, handlers);
// A Redis server's timers are not accelerated, so its locks are shortened instead.
const settings = { ...jobs.TASK_SETTINGS, ...(config.redisUrl ? { lease: 1_500, renewal: 300 } : {}) };
const queue = config.redisUrl
  ? new jobs.RedisQueue(config, database, clock, records, handlers, settings, process.env.CLOCK_PREFIX)
  : new jobs.DatabaseQueue(config, database, records, new jobs.TaskWorker(database, clock, handlers, settings));

handlers.add({
  name: 'clock.task',
  attempts: 50,
  concurrency: 4,
  run: async (subject, { attempt, signal }) => {
    await note('task', subject, attempt);
    await pause(1_000 + Math.random() * 20_000, signal);
    return { attempt, who };
  },
});
for (const name of ['short', 'long']) {
  registry.add({
    owner: 'clock',
    name,
    everyMinutes: 1,
    run: async (turn) => {
      const tick = dueTimes.get(turn).getTime() / MINUTE;
      await note(`job ${name}`, String(tick), 1);
      if (name === 'short') {
        await database.transaction(async () => {
          await note('added', `${tick} with`, 0);
          await queue.add('clock.task', `${tick} with`);
        });
        await queue.add('clock.task', `${tick} without`);
        await note('added', `${tick} without`, 0);
      }
      await pause(name === 'short' ? 500 : 5_000 + Math.random() * 15_000, turn.signal);
      return tick;
    },
  });
}

process.send('ready');
[since] = await once(process, 'message');
queue.start();
let stopped = false;
process.once('message', async () => {
  stopped = true;
  await queue.idle();
  process.exit(0);
});
const last = Number(process.env.CLOCK_LAST);
while (!stopped) {
  const now = clock.now().getTime();
  const next = (Math.floor(now / MINUTE) + 1) * MINUTE;
  await pause(next - now);
  if (!stopped && Math.round(clock.now().getTime() / MINUTE) <= last) void scheduler.onMinute();
}

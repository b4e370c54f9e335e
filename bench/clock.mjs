// Three processes with clocks that differ by up to two seconds, on one MariaDB: for 60 minutes, at 30 times the speed, random processes are
// killed with `kill -9`. Afterwards every job must have run once in each minute and no added task may be lost. The same with the queue in
// Redis.
// Run: `npm run bench:clock`; CLOCK_SEED repeats a run, CLOCK_TICKS and CLOCK_SPEED change it, TEST_DATABASE_SERVER and TEST_REDIS_URL
// select the servers.
import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import '#dist/src/config/timezone.js';
import 'reflect-metadata';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';

import { ormOptions } from '#dist/ormconfig.js';
import { AppConfig } from '#dist/src/config/index.js';
import { createDatabase } from '#dist/src/database/index.js';

const SERVER = (process.env.TEST_DATABASE_SERVER || 'mysql://root@127.0.0.1:3306').replace(/^mariadb:/, 'mysql:').replace(/\/$/, '');
const REDIS = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const TICKS = Number(process.env.CLOCK_TICKS ?? 60);
const SPEED = Number(process.env.CLOCK_SPEED ?? 30);
const SEED = Number(process.env.CLOCK_SEED ?? randomInt(1, 1_000_000_000));
const PROCESSES = 3;
const MINUTE = 60_000;

/** Deterministic random numbers from 0 to 1 (mulberry32). */
function chances(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One run. @returns descriptions of problems */
async function run(title, redisUrl) {
  const chance = chances(SEED);
  const name = `svc_clock_${process.pid}_${redisUrl ? 'redis' : 'database'}`;
  const server = await mysql.createConnection(SERVER);
  await server.query(`CREATE DATABASE \`${name}\``);
  const folder = mkdtempSync(join(tmpdir(), 'svc-clock-'));
  const env = { DATA_DIR: folder, DATABASE_URL: `${SERVER}/${name}`, ...(redisUrl ? { REDIS_URL: redisUrl } : {}) };
  const database = createDatabase(ormOptions(new AppConfig(env)));
  await database.dataSource.initialize();
  await database.dataSource.runMigrations();
  await database.dataSource.query(
    'CREATE TABLE clock_effect (id INT AUTO_INCREMENT PRIMARY KEY, kind VARCHAR(20), subject VARCHAR(40), attempt INT, who VARCHAR(20))',
  );

  // Half a minute before the first minute that counts.
  const first = Math.ceil(Date.now() / MINUTE) + 1;
  const last = first + TICKS - 1;
  const begin = (first - 0.5) * MINUTE;
  const prefix = `svc-clock-${process.pid}`;
  let started = 0;
  let killed = 0;
  const running = new Array(PROCESSES);
  async function start(place) {
    const skew = Math.round((chance() * 4 - 2) * 1_000);
    started += 1;
    const child = fork(join(import.meta.dirname, 'servers/clock-process.mjs'), {
      env: {
        ...env,
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        LOG_LEVEL: 'silent',
        CLOCK_SPEED: String(SPEED),
        CLOCK_BEGIN: String(begin),
        CLOCK_SKEW: String(skew),
        CLOCK_LAST: String(last),
        CLOCK_PREFIX: prefix,
        CLOCK_NAME: `process ${started}`,
      },
      execArgv: [],
    });
    running[place] = child;
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
  }
  await Promise.all(running.fill(null).map((_none, place) => start(place)));
  const since = Date.now();
  for (const child of running) child.send(since);

  const end = since + ((TICKS + 0.5) * MINUTE) / SPEED;
  while (Date.now() < end) {
    // About every second minute a process is killed; not while another one is starting, so that two are up at any time.
    await pause(((0.5 + chance() * 3) * MINUTE) / SPEED);
    if (Date.now() >= end) break;
    const place = Math.floor(chance() * PROCESSES);
    const gone = once(running[place], 'exit');
    running[place].kill('SIGKILL');
    await gone;
    killed += 1;
    await start(place);
    running[place].send(since);
  }
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.send('end');
  const limit = setTimeout(() => running.forEach((child) => child.kill('SIGKILL')), 120_000);
  await Promise.all(ended);
  clearTimeout(limit);

  const problems = await check(database, first, last, redisUrl !== null);
  const [counts] = await database.query(
    "SELECT SUM(kind = 'added') AS added, SUM(kind = 'task') AS attempts, COUNT(DISTINCT IF(kind = 'task', " +
      'subject, NULL)) AS tasks FROM clock_effect',
  );
  const [gone] = await database.query('SELECT COUNT(*) AS runs FROM SVC_job_run WHERE error IS NOT NULL OR ended_at IS NULL');
  process.stdout.write(
    `${title}: seed ${SEED}, ${TICKS} ticks, ${PROCESSES} processes, ${killed} killed. Runs ` +
      `of two jobs: ${TICKS * 2}, of them ended by a kill: ${gone.runs}. ` +
      `Tasks: ${counts.added} added, ${counts.tasks} done, ${counts.attempts} attempts.\n`,
  );
  for (const problem of problems) process.stdout.write(`  WRONG: ${problem}\n`);
  if (problems.length === 0) process.stdout.write('  every job once in each minute, no task lost, none past its fence\n');
  await database.dataSource.destroy();
  await server.query(`DROP DATABASE \`${name}\``);
  await server.end();
  rmSync(folder, { recursive: true, force: true });
  if (redisUrl) await forgetKeys(redisUrl, prefix);
  return problems;
}

/** Removes the run's keys from Redis. */
async function forgetKeys(redisUrl, prefix) {
  const redis = new Redis(redisUrl);
  const keys = await redis.keys(`${prefix}:*`);
  for (let at = 0; at < keys.length; at += 1_000) await redis.del(...keys.slice(at, at + 1_000));
  redis.disconnect();
}

/** Returns violations of the expectations. @param {ReturnType<typeof createDatabase>} database */
async function check(database, first, last, inRedis) {
  const problems = [];
  const effects = await database.query('SELECT kind, subject, attempt, who FROM clock_effect ORDER BY id');
  for (const job of ['short', 'long']) {
    const ran = effects.filter(({ kind }) => kind === `job ${job}`);
    for (let tick = first; tick <= last; tick += 1) {
      const times = ran.filter(({ subject }) => Number(subject) === tick).length;
      // A process may be killed between the claim and the job's first action: then its row records it.
      if (times === 1) continue;
      const due = new Date(tick * MINUTE).toISOString().slice(0, 19).replace('T', ' ');
      const rows = await database.query('SELECT error FROM SVC_job_run WHERE job = ? AND due_at = ?', [`clock:${job}`, due]);
      if (times === 0 && rows.length === 1 && rows[0].error !== null) continue;
      problems.push(`the job "${job}" ran ${times} times in minute ${tick - first + 1}`);
    }
  }
  const done = new Set(effects.filter(({ kind }) => kind === 'task').map(({ subject }) => subject));
  for (const { kind, subject } of effects) if (kind === 'added' && !done.has(subject)) problems.push(`the task "${subject}" never ran`);
  if (inRedis) {
    const [kept] = await database.query('SELECT COUNT(*) AS tasks FROM SVC_task');
    if (Number(kept.tasks) > 0) problems.push(`${kept.tasks} tasks never reached Redis`);
    return problems;
  }
  /** @type {{ payload: string, state: string, attempts: number, result: string }[]} */
  const tasks = await database.query('SELECT payload, state, attempts, result FROM SVC_task');
  for (const task of tasks) {
    const subject = JSON.parse(task.payload);
    if (task.state !== 'done') problems.push(`the task "${subject}" is ${task.state}`);
    else if (JSON.parse(task.result).attempt !== task.attempts)
      problems.push(`the task "${subject}" was ended by an attempt that had lost it`);
  }
  return problems;
}

const problems = await run('the clock and the queue in the database', null);
if (REDIS) problems.push(...(await run('the clock and the queue in Redis', REDIS)));
process.exitCode = problems.length === 0 ? 0 : 1;

// Cost of a background task, from adding to completion: in the database compared with a bare loop that claims rows of a similar table on
// the bare driver, and in Redis compared with bare BullMQ. Each round adds tasks and waits until a handler that does nothing has run them
// all, ten at a time.
// Run: `npm run bench:queue`; TEST_DATABASE_SERVER=mariadb://root@127.0.0.1:3306 for MariaDB, TEST_REDIS_URL for another Redis (empty:
// none).
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Sqlite from 'better-sqlite3';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';

import { ormOptions } from '#dist/ormconfig.js';
import { Clock } from '#dist/src/common/index.js';
import { AppConfig } from '#dist/src/config/index.js';
import { createDatabase, toSqlTime } from '#dist/src/database/index.js';
import { DatabaseQueue, RedisQueue, TASK_SETTINGS, TaskRecords, TaskRegistry, TaskWorker } from '#dist/src/jobs/index.js';

import { median } from './measure.mjs';
import { changedBy, rowsOf } from './typed.mjs';

const SERVER = (process.env.TEST_DATABASE_SERVER ?? '').replace(/^mariadb:/, 'mysql:').replace(/\/$/, '');
const REDIS = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const ROUNDS = 11;
const PER_ROUND = 400;
const CONCURRENCY = 10;
const PAYLOAD = { to: 'user@example.com', subject: 'Your site', text: 'x'.repeat(200) };
const BAR = 0.5;

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const name = `svc_bench_${process.pid}`;
const server = SERVER ? await mysql.createConnection(SERVER) : null;
await server?.query(`CREATE DATABASE \`${name}\``);
const env = { DATA_DIR: folder, DATABASE_URL: server ? `${SERVER}/${name}` : `sqlite:${join(folder, 'panel.db')}` };
const database = createDatabase(ormOptions(new AppConfig(env)));
await database.dataSource.initialize();
await database.dataSource.runMigrations();

/** Counts completed tasks, and detects the end of a round. */
class Tally {
  count = 0;
  /** @type {() => void} */
  over;
  one = () => {
    this.count += 1;
    if (this.count === PER_ROUND) this.over();
  };
  async round(add) {
    this.count = 0;
    const over = new Promise((resolve) => (this.over = () => resolve(null)));
    const start = performance.now();
    let next = 0;
    const adder = async () => {
      while (next < PER_ROUND) await add(next++);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, adder));
    await over;
    return PER_ROUND / ((performance.now() - start) / 1_000);
  }
}

/** The product's queue. */
async function ours(redisUrl) {
  const tally = new Tally();
  const handlers = new TaskRegistry();
  const clock = new Clock();
  const config = new AppConfig({ ...env, ...(redisUrl ? { REDIS_URL: redisUrl } : {}) });
  const records = new TaskRecords(database, clock, handlers);
  const queue = redisUrl
    ? new RedisQueue(config, database, clock, records, handlers, TASK_SETTINGS, name)
    : new DatabaseQueue(config, database, records, new TaskWorker(database, clock, handlers));
  handlers.add({ name: 'bench.task', concurrency: CONCURRENCY, run: tally.one });
  queue.start();
  await queue.idle();
  return { round: () => tally.round(() => queue.add('bench.task', PAYLOAD)) };
}

const TABLE = `CREATE TABLE bare_task (id INTEGER PRIMARY KEY ${server ? 'AUTO_INCREMENT' : 'AUTOINCREMENT'}, name VARCHAR(60),
  payload TEXT, priority INT,
  state VARCHAR(12), due_at DATETIME(3), holder VARCHAR(60), attempts INT DEFAULT 0, added_at DATETIME(3), ended_at DATETIME(3))`;

/** Hand-written queue: as many loops as concurrent tasks, each claims a row, runs it and completes it. */
async function bareLoop() {
  const file = server ? null : new Sqlite(join(folder, 'bare.db'));
  file?.pragma('journal_mode = WAL');
  file?.pragma('synchronous = NORMAL');
  const pool = server ? mysql.createPool({ uri: `${SERVER}/${name}`, connectionLimit: CONCURRENCY }) : null;
  const kept = new Map();
  const prepare = (sql) => kept.get(sql) ?? kept.set(sql, file.prepare(sql)).get(sql);
  const run = async (sql, ...values) => (file ? prepare(sql).run(...values).changes : changedBy(pool, sql, values));
  if (file) file.exec(TABLE);
  else await pool.query(TABLE);
  await run('CREATE INDEX bare_turn ON bare_task (name, state, priority, due_at, id)');
  const tally = new Tally();
  const time = () => toSqlTime(new Date());
  const FIRST =
    "SELECT id, payload FROM bare_task WHERE name = 'bench.task' AND state = 'waiting' AND due_at <= ? " +
    'ORDER BY priority, due_at, id LIMIT 1';
  const CLAIM =
    "UPDATE bare_task SET state = 'running', holder = ?, attempts = attempts + 1, due_at = ? WHERE id = ? AND state = 'waiting'";
  const claimInFile = async (holder) => {
    const task = prepare(FIRST).get(time());
    return task && prepare(CLAIM).run(holder, time(), task.id).changes === 1 ? task : undefined;
  };
  // The server's own feature: rows locked by other claims are skipped.
  const claimOnServer = async (holder) => {
    const connection = await pool.getConnection();
    try {
      await connection.beginTransaction();
      const [task] = await rowsOf(connection, `${FIRST} FOR UPDATE SKIP LOCKED`, [time()]);
      if (task) await connection.query(CLAIM, [holder, time(), task.id]);
      await connection.commit();
      return task;
    } catch (error) {
      // The product's queue retries after a deadlock as well.
      if (error.errno !== 1213) throw error;
      await connection.rollback();
      return undefined;
    } finally {
      connection.release();
    }
  };
  const claim = file ? claimInFile : claimOnServer;
  const loop = async (holder) => {
    while (tally.count < PER_ROUND) {
      const task = await claim(holder);
      if (!task) {
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      JSON.parse(task.payload);
      await run("UPDATE bare_task SET state = 'done', ended_at = ?, holder = NULL WHERE id = ? AND holder = ?", time(), task.id, holder);
      tally.one();
    }
  };
  const add = () =>
    run(
      "INSERT INTO bare_task (name, payload, priority, state, due_at, added_at) VALUES ('bench.task', ?, 10, 'waiting', ?, ?)",
      JSON.stringify(PAYLOAD),
      time(),
      time(),
    );
  return {
    round: async () => {
      tally.count = 0;
      const loops = Array.from({ length: CONCURRENCY }, (_none, at) => loop(`loop ${at}`));
      const rate = await tally.round(add);
      await Promise.all(loops);
      return rate;
    },
    close: async () => {
      file?.close();
      await pool?.end();
    },
  };
}

/** BullMQ as in its documentation, with the same options for completed tasks. */
async function bareBull() {
  const tally = new Tally();
  const connection = new Redis(REDIS, { maxRetriesPerRequest: null });
  const queue = new Queue('bench-bare', { connection, prefix: name });
  const worker = new Worker('bench-bare', async () => tally.one(), { connection, prefix: name, concurrency: CONCURRENCY });
  await worker.waitUntilReady();
  const options = { attempts: 5, backoff: { type: 'exponential', delay: 5_000 }, removeOnComplete: { age: 604_800 } };
  return {
    round: () => tally.round(() => queue.add('bench.task', PAYLOAD, options)),
    close: async () => {
      await worker.close();
      await queue.close();
      connection.disconnect();
    },
  };
}

async function compare(title, makers) {
  const made = await Promise.all(Object.values(makers).map((make) => make()));
  const names = Object.keys(makers);
  const rates = names.map(() => []);
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const [at, candidate] of [...made.entries()].sort(() => (round % 2 ? -1 : 1))) {
      const rate = await candidate.round();
      if (round >= 0) rates[at].push(rate);
    }
  }
  const shares = rates[0].map((rate, round) => rate / rates[1][round]);
  process.stdout.write(`\n${title}\n`);
  for (const [at, each] of names.entries())
    process.stdout.write(`  ${each.padEnd(28)} ${Math.round(median(rates[at])).toString().padStart(6)} tasks/s\n`);
  const share = median(shares);
  process.stdout.write(`  ours / bare: ${share.toFixed(2)}x (bar ${BAR}x): ${share >= BAR ? 'met' : 'MISSED'}\n`);
  return share >= BAR;
}

const met = [
  await compare(`The queue in the database (${server ? 'MariaDB' : 'SQLite'})`, {
    'the queue': () => ours(null),
    'a bare claim loop': bareLoop,
  }),
  ...(REDIS ? [await compare('The queue in Redis', { 'the queue': () => ours(REDIS), 'bare BullMQ': bareBull })] : []),
];
if (REDIS) {
  const redis = new Redis(REDIS);
  const keys = await redis.keys(`${name}:*`);
  for (let at = 0; at < keys.length; at += 1_000) await redis.del(...keys.slice(at, at + 1_000));
  redis.disconnect();
}
await database.dataSource.destroy();
await server?.query(`DROP DATABASE \`${name}\``);
await server?.end();
rmSync(folder, { recursive: true, force: true });
process.exit(met.every(Boolean) ? 0 : 1);

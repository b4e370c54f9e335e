/**
 * Agents: heartbeats of 2,000 nodes from socket to socket, unsigned and signed, compared with a server that only runs the same query;
 * 10,000 tasks claimed by 50 concurrent agents, compared with the same statements on the bare driver; and the list of 100,000 accounts
 * (`host-pages.mjs`). Run: `npm run bench:nodes`, twelve minutes on two cores.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import autocannon from 'autocannon';
import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';

import { Clock } from '#dist/src/common/index.js';
import { toSqlTime } from '#dist/src/database/index.js';
import { TaskQueue, sign } from '#dist/src/agents/index.js';

import { hostPages } from './host-pages.mjs';
import { median, printBars, printTable } from './measure.mjs';
import { agentNode, mariadbPlace, seedAgents, sqlitePlace } from './seed.mjs';
import { changedBy, jsonOf, rowsOf } from './typed.mjs';

/** @import { Place } from './seed.mjs' */

const NODES = 2_000;
/** Rate of 2,000 nodes with a heartbeat every ten seconds. */
const NEEDED_RATE = NODES / 10;
const AGENTS = 50;
/** Tasks per round, and rounds: a database server takes several times as long as SQLite. */
const CLAIMS = { SQLite: { tasks: 10_000, rounds: 3 }, MariaDB: { tasks: 2_000, rounds: 2 } };
const CONNECTIONS = 20;
const SECONDS = Number(process.env.TURN_SECONDS ?? 2);
const PATH = '/api/node.php?act=heartbeat';

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
let sent = 0;

/** A heartbeat with the secret in its body; each request is from the next node. */
function plain(request) {
  const { nodeId, secret } = agentNode(sent++ % NODES);
  return { ...request, body: JSON.stringify({ node_id: nodeId, node_secret: secret, status: 'online', load: 1.2 }) };
}

/** A signed heartbeat as deployed agents send it. */
function signed(request) {
  const { nodeId, secret, platformSecret } = agentNode(sent++ % NODES);
  const body = '{"node_name":"Node","version":"0.1.0","capabilities":["heartbeat","task","report"]}';
  const [time, nonce] = [String(Math.floor(Date.now() / 1_000)), `n${sent}.${process.pid}`];
  const signature = sign({ method: 'POST', url: PATH, body: Buffer.from(body), time, nonce }, { platformSecret, nodeSecret: secret });
  return {
    ...request,
    body,
    headers: { ...request.headers, 'X-SVC-Node': nodeId, 'X-SVC-Time': time, 'X-SVC-Nonce': nonce, 'X-SVC-Sign': signature },
  };
}

async function serverOn(file) {
  const data = join(folder, file);
  mkdirSync(data);
  cpSync(join(folder, 'seed.db'), join(data, 'panel.db'));
  const child = fork(fileURLToPath(new URL(`servers/${file}`, import.meta.url)), {
    env: {
      ...process.env,
      DATA_DIR: data,
      DATABASE_URL: `sqlite:${join(data, 'panel.db')}`,
      LOG_LEVEL: 'warn',
      PORT: '0',
      SITES_PORT: '0',
      RATE_LIMIT: 'off',
    },
    stdio: ['ignore', openSync(devNull, 'w'), 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}.`)));
  failed.catch(() => undefined);
  const [{ port }] = await Promise.race([once(child, 'message'), failed]);
  return { child, url: `http://127.0.0.1:${port}` };
}

async function cpuOf({ child }) {
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu;
}

async function beat(server, setupRequest, rate) {
  const answer = await fetch(server.url + PATH, setupRequest({ method: 'POST', headers: {} }));
  if (!(await jsonOf(answer)).success) throw new Error('A heartbeat was refused.');
  const before = await cpuOf(server);
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: SECONDS,
    ...(rate ? { overallRate: rate } : {}),
    // The body is checked for each answer, since the status says nothing here.
    verifyBody: (body) => body.includes('"success":true'),
    requests: [{ method: 'POST', path: PATH, setupRequest }],
  });
  if (result.mismatches || result.errors || result.non2xx || !result['2xx'])
    throw new Error(`${result.mismatches} refusals, ${result.errors} errors, ${result.non2xx} other answers.`);
  const cpu = (await cpuOf(server)) - before;
  return { rate: result['2xx'] / result.duration, p99: result.latency.p99, cpu: cpu / result['2xx'] };
}

async function heartbeats() {
  const place = await sqlitePlace(folder, 'seed');
  await seedAgents(place.database, NODES);
  await place.close();
  const [panel, raw] = [await serverOn('panel.mjs'), await serverOn('heartbeats.mjs')];
  try {
    const candidates = [
      { name: 'the query alone (bare Node, bare driver)', server: raw, request: plain, rounds: [] },
      { name: 'panel, unsigned', server: panel, request: plain, rounds: [] },
      { name: 'panel, signed (one write more: the nonce)', server: panel, request: signed, rounds: [] },
    ];
    // The first round is a warm-up.
    for (let round = 0; round < 3; round += 1) {
      for (const { rounds, server, request } of candidates) {
        const result = await beat(server, request);
        if (round > 0) rounds.push(result);
      }
    }
    const paced = [];
    for (const { server, request } of candidates) paced.push(await beat(server, request, NEEDED_RATE));
    const results = candidates.map(({ name, rounds }) => {
      const [rate, p99, cpu] = ['rate', 'p99', 'cpu'].map((value) => median(rounds.map((round) => round[value])));
      return { name, rate, p99, cpu };
    });
    process.stdout.write(
      `\nHeartbeats of ${NODES.toLocaleString('en')} nodes on SQLite, ${CONNECTIONS} connections, Node ${process.version}\n\n`,
    );
    printTable(
      ['server', 'heartbeats/s', 'x the query', 'CPU each', 'p99', `p99 at ${NEEDED_RATE}/s`],
      results.map(({ name, rate, cpu, p99 }, i) => [
        name,
        rate.toFixed(0),
        (rate / results[0].rate).toFixed(2),
        `${cpu.toFixed(0)} µs`,
        `${p99} ms`,
        `${paced[i].p99} ms`,
      ]),
    );
    // By processor time, which other processes affect least: how many times these nodes one core could serve.
    const room = ({ cpu }) => 1e6 / cpu / NEEDED_RATE;
    return [
      { claim: `${NODES} nodes every 10 s, unsigned: room on one core`, value: room(results[1]), limit: 10, atLeast: true, unit: 'x' },
      { claim: `${NODES} nodes every 10 s, signed: room on one core`, value: room(results[2]), limit: 10, atLeast: true, unit: 'x' },
      { claim: `${NODES} nodes every 10 s, signed: p99 (agents wait 5 s)`, value: paced[2].p99, limit: 250, unit: 'ms' },
    ];
  } finally {
    for (const { child } of [panel, raw]) child.disconnect();
  }
}

/** Claims on the bare driver: only the statements of TaskQueue.claim. */
const ENDED = "SELECT id, attempts FROM SVC_node_task WHERE node_id = ? AND status = 'running' AND lease_until <= ? LIMIT 200";
const OLDEST =
  "SELECT id, task_id, action, payload, attempts FROM SVC_node_task WHERE node_id = ? AND status = 'pending' ORDER BY id LIMIT 1";
const CLAIM =
  "UPDATE SVC_node_task SET status = 'running', attempts = attempts + 1, lease_until = ?, pulled_at = ? " +
  "WHERE id = ? AND status = 'pending' AND attempts = ?";

/** @param {Place} place */
function sqliteDriver({ config }) {
  const handle = new Sqlite(config.sqlitePath);
  handle.pragma('synchronous = NORMAL');
  const [ended, claim] = [ENDED, CLAIM].map((sql) => handle.prepare(sql));
  /** @type {Sqlite.Statement<[string], { id: number, attempts: number }>} */
  const oldest = handle.prepare(OLDEST);
  const pull = async (nodeId) => {
    const now = toSqlTime(new Date());
    ended.all(nodeId, now);
    const row = oldest.get(nodeId);
    return row !== undefined && claim.run(toSqlTime(new Date(Date.now() + 300_000)), now, row.id, row.attempts).changes === 1;
  };
  return { pull, close: async () => handle.close() };
}

/** @param {Place} place */
function mysqlDriver({ config }) {
  const pool = mysql.createPool({ uri: config.databaseUrl.replace(/^mariadb:/, 'mysql:'), connectionLimit: 10, dateStrings: true });
  const pull = async (nodeId) => {
    const now = toSqlTime(new Date());
    await pool.query(ENDED, [nodeId, now]);
    const [row] = await rowsOf(pool, OLDEST, [nodeId]);
    const leaseUntil = toSqlTime(new Date(Date.now() + 300_000));
    return row !== undefined && (await changedBy(pool, CLAIM, [leaseUntil, now, row.id, row.attempts])) === 1;
  };
  return { pull, close: () => pool.end() };
}

/**
 * @param {keyof typeof CLAIMS} engine
 * @param {Place} place
 * @param {{ pull: (nodeId: string) => Promise<boolean>, close: () => Promise<unknown> }} driver
 */
async function claims(engine, place, driver) {
  const { database } = place;
  const { tasks, rounds: count } = CLAIMS[engine];
  await seedAgents(database, AGENTS);
  const nodeIds = Array.from({ length: AGENTS }, (_, i) => agentNode(i).nodeId);
  const queue = new TaskQueue(database, new Clock());
  const candidates = [
    { name: 'the statements alone', pull: driver.pull, rounds: [] },
    { name: 'TaskQueue.claim', pull: async (nodeId) => (await queue.claim(nodeId)) !== null, rounds: [] },
  ];
  for (let round = 0; round < count; round += 1) {
    for (const { pull, rounds } of candidates) {
      await database.transaction(() =>
        queue.add(
          Array.from({ length: tasks }, (_, i) => nodeIds[i % AGENTS]),
          'ping',
          {},
        ),
      );
      let claimed = 0;
      const start = process.hrtime.bigint();
      await Promise.all(
        nodeIds.map(async (nodeId) => {
          while (await pull(nodeId)) claimed += 1;
        }),
      );
      rounds.push(Number(process.hrtime.bigint() - start) / 1e9);
      if (claimed !== tasks) throw new Error(`${claimed} of ${tasks} tasks were claimed.`);
    }
  }
  await driver.close();
  const [baseline] = candidates;
  process.stdout.write(`${tasks.toLocaleString('en')} tasks claimed by ${AGENTS} agents at once, ${engine}\n\n`);
  const times = (candidate) => median(candidate.rounds.map((seconds, round) => seconds / baseline.rounds[round]));
  printTable(
    ['', 'claims/s', 'x the statements'],
    candidates.map((candidate) => [candidate.name, (tasks / median(candidate.rounds)).toFixed(0), times(candidate).toFixed(2)]),
  );
  return { claim: `claiming, ${engine}: against the statements alone`, value: times(candidates[1]), limit: 2, unit: 'x' };
}

const bars = [];
try {
  bars.push(...(await heartbeats()));
  const sqlite = await sqlitePlace(folder, 'tasks');
  bars.push(await claims('SQLite', sqlite, sqliteDriver(sqlite)));
  await sqlite.close();
  const mariadb = await mariadbPlace(folder);
  if (mariadb) {
    try {
      bars.push(await claims('MariaDB', mariadb, mysqlDriver(mariadb)));
    } finally {
      await mariadb.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printBars([...bars, ...(await hostPages())]);

// Cost of ordering a plan in the shop: two panel processes on one MariaDB receive orders over HTTP, compared with the same statements on
// the bare driver, both eight at a time. Orders are created but not paid.
// Run: `npm run bench:orders`; TEST_DATABASE_SERVER selects the server.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import mysql from 'mysql2/promise';

import { formatTime, median, printBars, printTable, ratio } from './measure.mjs';
import { jsonOf, portOf, rowsOf } from './typed.mjs';

const SERVER = (process.env.TEST_DATABASE_SERVER || 'mysql://root@127.0.0.1:3306').replace(/^mariadb:/, 'mysql:').replace(/\/$/, '');
const MAIN = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
const PROCESSES = 2;
const ROUNDS = 11;
const PER_ROUND = 80;
const CONCURRENCY = 8;
const REACH = 5;
const ADMIN_PASSWORD = 'admin-pass-1';

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const name = `svc_bench_${process.pid}`;
const server = await mysql.createConnection(SERVER);
await server.query(`CREATE DATABASE \`${name}\``);
const pool = mysql.createPool({ uri: `${SERVER}/${name}`, connectionLimit: CONCURRENCY });
const panels = [];

async function freePort() {
  const socket = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => socket.on('listening', resolve));
  const port = portOf(socket);
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

/** Starts a panel as in production, without limits per address. */
async function startPanel() {
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: folder,
    DATABASE_URL: `${SERVER}/${name}`,
    PORT: String(port),
    SITES_PORT: String(await freePort()),
    CAPTCHA: 'off',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    ADMIN_PASSWORD,
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  panels.push(child);
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('The panel ended.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return url;
}

async function post(url, fields, cookie = '') {
  const response = await fetch(url, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });
  const json = await jsonOf(response);
  if (json.success !== true && json.code !== 'ok') throw new Error(JSON.stringify(json));
  return { json, cookie: response.headers.getSetCookie().map((line) => line.split(';')[0]) };
}

/** Sets up the shop with one plan, known to all processes. */
async function openShop(urls) {
  const ajax = `${urls[0]}/admin/ajax.php`;
  const { cookie } = await post(ajax, { gn: 'login', user: 'admin', pass: ADMIN_PASSWORD });
  const operate = (fields) => post(ajax, fields, cookie.join('; '));
  await operate({ gn: 'plugin_enable', slug: 'hosting_shop', enabled: 'true' });
  const limits = { web_mb: '10', database_mb: '0', traffic_gb: '0', domains: '1' };
  await operate({ gn: 'p_hosting_shop_plan_save', name: 'Starter', node: 'local', price: '9.90', ...limits });
  for (const url of urls) {
    while ((await fetch(`${url}/shop/api/plan/1`)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

let made = 0;
const username = () => `buyer-${String((made += 1)).padStart(6, '0')}`;

function throughShop(urls) {
  return (i) =>
    post(`${urls[i % urls.length]}/shop/api/create_order`, {
      plan_id: '1',
      period: 'month',
      username: username(),
      password: 'a-password-of-my-own',
      request: randomBytes(16).toString('hex'),
    });
}

/** Hand-written statements: check the plan and the name, then insert order and purchase and update the stock in one transaction. */
async function bareStatements() {
  const user = username();
  const plan = 'SELECT * FROM SVC_plg_hosting_shop_plan WHERE id = ? AND active = 1';
  if ((await rowsOf(pool, plan, [1])).length !== 1) throw new Error('no plan');
  await pool.query('SELECT * FROM SVC_plg_hosting_shop_extra WHERE plan_id = ?', [1]);
  await pool.query('SELECT * FROM SVC_bt');
  await pool.query('SELECT id FROM SVC_zj WHERE user = ?', [user]);
  await pool.query("SELECT id FROM SVC_plg_hosting_shop_purchase WHERE state IN ('failed', 'renamed') AND LOWER(username) = ? LIMIT 1", [
    user,
  ]);
  const key = randomBytes(32).toString('hex');
  await pool.query('SELECT order_no FROM SVC_plg_hosting_shop_purchase WHERE request_key = ?', [key]);
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    await connection.query(
      'UPDATE SVC_plg_hosting_shop_plan SET taken = taken + 1 WHERE id = ? AND active = 1 AND (stock IS NULL OR taken < stock)',
      [1],
    );
    const number = randomBytes(10).toString('hex');
    const now = new Date();
    await connection.query('INSERT INTO SVC_dd SET ?', [
      {
        ddh: number,
        user,
        name: 'Starter',
        rmb: '9.90',
        ff: '',
        scene: 'hosting',
        qk: 'unpaid',
        cs: '{}',
        access_key: key.slice(0, 32),
        ip: '',
        date: now,
      },
    ]);
    await connection.query('INSERT INTO SVC_plg_hosting_shop_purchase SET ?', [
      {
        order_no: number,
        kind: 'paid',
        plan_id: 1,
        plan_name: 'Starter',
        months: 1,
        amount: 990,
        extras: '[]',
        username: user,
        email: '',
        sealed_password: key,
        view_key: randomBytes(16).toString('hex'),
        request_key: key,
        hold: 'held',
        shares: '[]',
        ordered_at: now.toISOString(),
      },
    ]);
    await connection.commit();
  } finally {
    connection.release();
  }
}

/** Processor time of the panels in nanoseconds, from Linux ticks; independent of other load. */
function panelsTime() {
  const ticks = ({ pid }) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 13)
      .reduce((sum, text) => sum + Number(text), 0);
  return panels.reduce((sum, child) => sum + ticks(child), 0) * 1e7;
}
/** Processor time of this process, which runs the bare statements. */
const ownTime = () => process.cpuUsage().user * 1e3 + process.cpuUsage().system * 1e3;

/** Measures an order in nanoseconds, several at a time. */
async function round(run) {
  const start = process.hrtime.bigint();
  let next = 0;
  const one = async () => {
    while (next < PER_ROUND) await run(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
  return Number(process.hrtime.bigint() - start) / PER_ROUND;
}

try {
  const urls = [];
  for (let at = 0; at < PROCESSES; at += 1) urls.push(await startPanel());
  await openShop(urls);
  const candidates = [
    { name: 'mysql2, the same statements', run: bareStatements, time: ownTime, rounds: [], busy: 0 },
    { name: `POST /shop/api/create_order, ${PROCESSES} processes`, run: throughShop(urls), time: panelsTime, rounds: [], busy: 0 },
  ];
  // Both take turns within every round, so that a slow moment of the machine affects them alike; two rounds of warm-up.
  for (let at = 0; at < ROUNDS + 2; at += 1) {
    for (const candidate of at % 2 ? [...candidates].reverse() : candidates) {
      const before = candidate.time();
      const took = await round(candidate.run);
      if (at < 2) continue;
      candidate.rounds.push(took);
      candidate.busy += (candidate.time() - before) / PER_ROUND / ROUNDS;
    }
  }
  const [bare, shop] = candidates;
  printTable(
    [`an order of a plan on MariaDB, ${CONCURRENCY} at a time`, 'each', 'a second', 'x driver', 'of processor'],
    candidates.map((candidate) => {
      const each = median(candidate.rounds);
      return [
        candidate.name,
        formatTime(each),
        String(Math.round(1e9 / each)),
        ratio(candidate, bare).toFixed(2),
        formatTime(candidate.busy),
      ];
    }),
  );
  printBars([{ claim: 'ordering through the shop', value: ratio(shop, bare), limit: REACH, unit: 'x' }]);
} finally {
  await Promise.all(panels.map((child) => new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'))));
  await pool.end();
  await server.query(`DROP DATABASE \`${name}\``);
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}

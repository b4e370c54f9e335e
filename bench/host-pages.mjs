/**
 * `listzj` over 100,000 accounts at any page, sort and filter, from socket to socket, compared with the usual statements (rows by OFFSET,
 * and a count) on the bare driver in the same run. Run: `npm run bench:hosts`; it is part of `bench:nodes`.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';

import { SessionService } from '#dist/src/auth/index.js';
import { startPanel } from '#dist/src/app/bootstrap.js';
import { AppConfig } from '#dist/src/config/index.js';

import { printBars, printTable } from './measure.mjs';
import { mariadbPlace, seedAccounts, sqlitePlace } from './seed.mjs';
import { rowsOf } from './typed.mjs';

/** @import { Place } from './seed.mjs' */

const ROWS = 100_000;
const LIMIT = 20;
const ASKS = Number(process.env.ASKS ?? 20);
const REACH_MS = 30;

/** Wire name and column of every sort. */
const SORTS = { id: 'id', user: 'user_key', ssbt: 'ssbt', datae: 'datae', qk: 'qk' };
/**
 * One filter of each kind with its SQL.
 * @type {Record<string, [form: Record<string, string>, condition: string, params: string[]]>}
 */
const FILTERS = {
  'every account': [{}, '1 = 1', []],
  'paused (5,000)': [{ zjzt: 'paused' }, "qk = 'paused'", []],
  'of one node (all)': [{ btdh: 'bench' }, "ssbt = 'bench'", []],
  'name contains "99" (some 3,700)': [{ ss: '99' }, '(user_key LIKE ? OR sqldz LIKE ?)', ['%99%', '%99%']],
  'one name exactly': [{ where: JSON.stringify({ name: 'user', type: '1', value: 'user0000777' }) }, 'user_key = ?', ['user0000777']],
};

function views() {
  const all = [];
  for (const [filter, [form, condition, params]] of Object.entries(FILTERS)) {
    for (const [sort, column] of Object.entries(SORTS)) {
      for (const sortOrder of ['asc', 'desc']) {
        for (const page of [1, 40, 2_500, 4_999])
          all.push({ filter, form: { ...form, sort, sortOrder, page, limit: LIMIT }, condition, params, column, sortOrder, page });
      }
    }
  }
  return all;
}

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];

/** @param {AppConfig} config @param {Place['database']} database */
async function asker(config, database) {
  await database.dataSource.destroy();
  const panel = await startPanel(config);
  const token = await panel.app.get(SessionService).open('admin', 1, { ip: '127.0.0.1', userAgent: 'bench' });
  const agent = new http.Agent({ keepAlive: true });
  const ask = (form) =>
    new Promise((resolve, reject) => {
      const body = new URLSearchParams({ gn: 'listzj', ...form }).toString();
      const headers = {
        cookie: `admin_token=${token}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      };
      const request = http.request(`${panel.url}/admin/ajax.php`, { method: 'POST', agent, headers }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(parts).toString())));
      });
      request.on('error', reject);
      request.end(body);
    });
  return { ask, close: () => (agent.destroy(), panel.close()) };
}

const rowsSql = ({ condition, column, sortOrder }) =>
  `SELECT * FROM SVC_zj WHERE ${condition} ORDER BY ${column} ${sortOrder}, id ${sortOrder} LIMIT ? OFFSET ?`;
const countSql = ({ condition }) => `SELECT COUNT(*) AS total FROM SVC_zj WHERE ${condition}`;
const offsetOf = ({ page }) => (page - 1) * LIMIT;

/** @param {AppConfig} config */
function sqliteRaw(config) {
  const handle = new Sqlite(config.sqlitePath, { readonly: true });
  return {
    ask: async (view) => ({
      rows: handle.prepare(rowsSql(view)).all(...view.params, LIMIT, offsetOf(view)),
      total: handle.prepare(countSql(view)).pluck().get(view.params),
    }),
    close: async () => handle.close(),
  };
}

/** @param {AppConfig} config */
function mariadbRaw(config) {
  const pool = mysql.createPool({ uri: config.databaseUrl.replace(/^mariadb:/, 'mysql:'), connectionLimit: 2, dateStrings: true });
  return {
    ask: async (view) => {
      const [rows, [{ total }]] = await Promise.all([
        rowsOf(pool, rowsSql(view), [...view.params, LIMIT, offsetOf(view)]),
        rowsOf(pool, countSql(view), view.params),
      ]);
      return { rows, total };
    },
    close: () => pool.end(),
  };
}

async function timed(times, work) {
  const begun = performance.now();
  const result = await work();
  times.push(performance.now() - begun);
  return result;
}

/** @param {string} engine @param {Place} place @param {ReturnType<typeof sqliteRaw | typeof mariadbRaw>} raw */
async function measureOn(engine, { config, database }, raw) {
  await seedAccounts(database, ROWS);
  // Without the worker, whose jobs process all accounts.
  const env = { RATE_LIMIT: 'off', PORT: '0', SITES_PORT: '0', SERVICES: 'panel' };
  const panel = await asker(new AppConfig({ DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl, ...env }), database);
  const results = [];
  try {
    for (const view of views()) {
      const [first, theirs] = [await panel.ask(view.form), await raw.ask(view)];
      const ids = ({ rows }) => rows.map((row) => Number(row.id)).join();
      if (first.total !== theirs.total || ids(first) !== ids(theirs))
        throw new Error(`${JSON.stringify(view.form)}: ${first.total} ${ids(first)} is not ${theirs.total} ${ids(theirs)}`);
      // The row positions of a list are computed in the background after the first request.
      await wait(view.page === 1 ? 150 : 0);
      const [ours, bare] = [[], []];
      for (let ask = 0; ask < ASKS; ask += 1) {
        await timed(ours, () => panel.ask(view.form));
        await timed(bare, () => raw.ask(view));
      }
      results.push({ ...view, ours, bare });
    }
  } finally {
    await raw.close();
    await panel.close();
  }
  process.stdout.write(
    `\nlistzj on ${engine}, ${ROWS.toLocaleString('en')} accounts, ${LIMIT} a page, ${ASKS} ` +
      `requests of each of ${results.length} views, Node ${process.version}\n\n`,
  );
  const groups = groupBy(results);
  const row = (name, group) => {
    const [ours, bare] = ['ours', 'bare'].map((of) => group.flatMap((view) => view[of]));
    return [
      name,
      quantile(ours, 0.5),
      quantile(ours, 0.95),
      Math.max(...group.map((view) => quantile(view.ours, 0.95))),
      quantile(bare, 0.5),
      quantile(bare, 0.95),
    ];
  };
  const table = [...groups].map(([name, group]) => row(name, group));
  table.push(row('all', results));
  printTable(
    ['accounts', 'median', 'p95', 'p95 of the slowest view', 'bare query, median', 'bare query, p95'],
    table.map(([name, ...times]) => [name, ...times.map((time) => `${time.toFixed(2)} ms`)]),
  );
  return engine === 'SQLite'
    ? [{ claim: 'SQLite: listzj at any page, sort and filter, p95', value: table.at(-1)[2], limit: REACH_MS, unit: 'ms' }]
    : [];
}

function groupBy(results) {
  const groups = new Map();
  for (const result of results) groups.set(result.filter, [...(groups.get(result.filter) ?? []), result]);
  return groups;
}

/** Measures both engines; MariaDB only if a server is reachable. */
export async function hostPages() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const bars = [];
  try {
    const sqlite = await sqlitePlace(folder);
    bars.push(...(await measureOn('SQLite', sqlite, sqliteRaw(sqlite.config))));
    const mariadb = await mariadbPlace(folder);
    if (mariadb) {
      const raw = mariadbRaw(mariadb.config);
      try {
        bars.push(...(await measureOn('MariaDB', mariadb, raw)));
      } finally {
        await mariadb.drop();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return bars;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) printBars(await hostPages());

/**
 * The first page of hosts, orders and the operation log with 1,000,000 rows compared with 10,000, from socket to socket, on SQLite and on
 * the MariaDB server of TEST_DATABASE_SERVER. Run: `npm run bench:first-pages`; ROWS and FEW set the numbers of rows.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { median, printBars, printTable } from './measure.mjs';
import { mariadbPlace, seedAccounts, seedLog, seedOrders, sqlitePlace } from './seed.mjs';
import { operate, start } from './servers/process.mjs';

const ROWS = Number(process.env.ROWS ?? 1_000_000);
const FEW = Number(process.env.FEW ?? 10_000);
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const ASKS = 20;
const LISTS = ['listzj', 'listdd', 'listlog'];
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-first-'));

/** Creates an empty database; null if the engine is not available. */
async function placeOf(engine, rows) {
  const data = join(folder, `${engine}-${rows}`);
  mkdirSync(data);
  const place = engine === 'sqlite' ? await sqlitePlace(data) : await mariadbPlace(data);
  return place && { ...place, data, rows, url: place.config.databaseUrl };
}

/** @param {import('./seed.mjs').Place & { rows: number }} place */
async function fill({ database, rows }) {
  await seedAccounts(database, rows);
  await seedOrders(database, rows);
  await seedLog(database, rows);
  await database.dataSource.destroy();
}

async function panelOver({ data, rows, url }) {
  const env = { DATA_DIR: data, DATABASE_URL: url, PORT: '0', SITES_PORT: '0', RATE_LIMIT: 'off', SERVICES: 'panel' };
  return { ...(await start('panel.mjs', env)), rows };
}

async function ask(panel, gn) {
  const began = performance.now();
  const answer = await operate(panel, new URLSearchParams({ gn, page: '1', limit: '20' }));
  const took = performance.now() - began;
  if (answer.rows?.length !== 20 || answer.total < panel.rows) throw new Error(`${gn}: ${JSON.stringify(answer).slice(0, 200)}`);
  return took;
}

const bars = [];
const lines = [];
try {
  const engines = [];
  for (const engine of ['sqlite', 'mariadb']) engines.push({ engine, places: [await placeOf(engine, FEW), await placeOf(engine, ROWS)] });
  // Both engines in parallel: filling SQLite loads this process, filling MariaDB loads the server.
  await Promise.all(
    engines.map(async ({ places }) => {
      for (const place of places) if (place) await fill(place);
    }),
  );
  process.stderr.write(`Filled after ${process.uptime().toFixed(0)} s\n`);
  for (const { engine, places } of engines) {
    if (places.includes(null)) continue;
    const panels = [];
    for (const place of places) panels.push(await panelOver(place));
    for (const gn of LISTS) {
      const first = [await ask(panels[0], gn), await ask(panels[1], gn)];
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const of = [[], []];
        for (let n = 0; n < ASKS; n += 1) for (const at of n % 2 ? [1, 0] : [0, 1]) of[at].push(await ask(panels[at], gn));
        rounds.push(of.map(median));
      }
      const [few, many] = [0, 1].map((at) => median(rounds.map((round) => round[at])));
      const ratio = median(rounds.map(([a, b]) => b / a));
      lines.push([`${gn}, ${engine}`, ...[few, many, ...first].map((ms) => `${ms.toFixed(2)} ms`), ratio.toFixed(2)]);
      bars.push({ claim: `${gn} on ${engine}`, value: ratio, limit: 1.2, unit: 'x' });
    }
    for (const { child } of panels) child.kill();
    for (const { drop } of places) await drop?.();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\nThe first page of 20, Node ${process.version}\n\n`);
printTable(['list', `${FEW} rows`, `${ROWS} rows`, 'first asked, few', 'first asked, many', 'ratio'], lines);
printBars(bars);

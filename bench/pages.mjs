/**
 * Processor time of whole pages from socket to socket: a list of 20 of 100,000 hosts and the dashboard, with session, menu, hooks and
 * theme. Run: `npm run bench:pages`, on an otherwise idle machine.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printBars, printTable } from './measure.mjs';
import { seedAccounts, sqlitePlace } from './seed.mjs';
import { contest } from './servers/contest.mjs';

const ROWS = 100_000;
const REACH_MS = 4;
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const list = 'list of 20 hosts';

const page = (name, path, contains) => ({
  name,
  server: 'panel.mjs',
  env: {
    DATA_DIR: folder,
    DATABASE_URL: `sqlite:${join(folder, 'panel.db')}`,
    LOG_LEVEL: 'silent',
    PORT: '0',
    SITES_PORT: '0',
    RATE_LIMIT: 'off',
    // Without the worker: its nightly job processes all accounts, the first time immediately.
    SERVICES: 'panel,store',
  },
  method: 'GET',
  path,
  accepts: (text) => text.includes(contains) && text.includes('</html>'),
});

let standings;
try {
  const place = await sqlitePlace(folder, 'panel');
  await seedAccounts(place.database, ROWS);
  await place.close();
  standings = await contest([page(list, '/admin/hosts', 'user0099999'), page('dashboard', '/admin/', '</main>')], {
    seconds: Number(process.env.TURN_SECONDS ?? 2),
    rounds: Number(process.env.ROUNDS ?? 5),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\nWhole pages, 20 connections, Node ${process.version}\n\n`);
printTable(
  ['page', 'pages/s', 'CPU a page'],
  [...standings.values()].map(({ name, rate, cpu }) => [name, rate.toFixed(0), `${(cpu / 1_000).toFixed(1)} ms`]),
);
const { cpu } = standings.get(list);
printBars([{ claim: 'a page with a list: processor time', value: cpu / 1_000, limit: REACH_MS, unit: 'ms' }]);

/**
 * The first page of 100,000 hosting accounts with its total, from socket to socket: the panel's `listzj` compared with the usual stack
 * (Nest on Express, express-session, passport, ValidationPipe, TypeORM's findAndCount) on a copy of the same SQLite file. Run: `npm run
 * bench:list`.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printBars, printTable } from './measure.mjs';
import { seedAccounts, sqlitePlace } from './seed.mjs';
import { contest, speed, thrift } from './servers/contest.mjs';

const ROWS = 100_000;
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const names = { conventional: 'Nest + Express + session + passport + findAndCount', panel: 'panel, listzj' };

function candidate(name, server) {
  const data = join(folder, server);
  mkdirSync(data);
  cpSync(join(folder, 'seed.db'), join(data, 'panel.db'));
  return {
    name,
    server,
    env: {
      DATA_DIR: data,
      DATABASE_URL: `sqlite:${join(data, 'panel.db')}`,
      LOG_LEVEL: 'silent',
      PORT: '0',
      SITES_PORT: '0',
      RATE_LIMIT: 'off',
      // Without the worker: its nightly job processes all accounts, the first time immediately.
      SERVICES: 'panel,store',
    },
    path: '/admin/ajax.php',
    body: 'gn=listzj&page=1&limit=20',
    accepts: (text) => {
      const { total, rows } = JSON.parse(text);
      return total === ROWS && rows.length === 20;
    },
  };
}

let standings;
try {
  const place = await sqlitePlace(folder, 'seed');
  await seedAccounts(place.database, ROWS);
  await place.close();
  standings = await contest([candidate(names.conventional, 'conventional.mjs'), candidate(names.panel, 'panel.mjs')], {
    seconds: Number(process.env.TURN_SECONDS ?? 2),
    rounds: Number(process.env.ROUNDS ?? 7),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const conventional = standings.get(names.conventional);
process.stdout.write(`\nFirst page of ${ROWS.toLocaleString('en')} accounts, 20 connections, Node ${process.version}\n\n`);
printTable(
  ['server', 'requests/s', 'x conventional', 'CPU a request', 'x by CPU'],
  [...standings.values()].map((standing) => [
    standing.name,
    standing.rate.toFixed(0),
    speed(standing, conventional).toFixed(2),
    `${standing.cpu.toFixed(0)} µs`,
    thrift(standing, conventional).toFixed(2),
  ]),
);
printBars([
  {
    claim: 'first page: against the usual stack',
    value: speed(standings.get(names.panel), conventional),
    limit: 5,
    atLeast: true,
    unit: 'x',
  },
]);

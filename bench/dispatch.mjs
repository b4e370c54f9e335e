/**
 * Cost of a request from socket to socket: an AJAX operation and a plugin's route in the running panel (session, auth, form, dispatch,
 * envelope) compared with plain Node, bare Nest on Express, and the usual stack with session, passport and ValidationPipe. The bare servers
 * authenticate nobody and record no times. The bars against them are for Node 20: on Node 24 bare Nest takes a third of the time, little
 * more than twice that of plain Node. Run: `npm run bench:dispatch`. TURN_SECONDS and ROUNDS change its length.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { contest, speed, thrift } from './servers/contest.mjs';
import { printBars, printTable } from './measure.mjs';

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const FIELDS = 'name=Alice&plan=12&note=hello+world';
const echoes = (text) => JSON.parse(text).note === 'hello world';

function panel(operations, level = 'silent') {
  return {
    server: 'panel.mjs',
    env: {
      DATA_DIR: join(folder, `panel-${operations}-${level}`),
      DATABASE_URL: `sqlite:${join(folder, `panel-${operations}-${level}`, 'panel.db')}`,
      OPERATIONS: String(operations),
      LOG_LEVEL: level,
      PORT: '0',
      SITES_PORT: '0',
      RATE_LIMIT: 'off',
    },
  };
}
const ajax = (name, side, server, last = 7) => ({
  name,
  ...server,
  path: `/${side}/ajax.php`,
  body: `gn=p_bench_${last}&${FIELDS}`,
  accepts: echoes,
});

const names = {
  raw: 'node:http, no dispatch, no login',
  bare: 'Nest + Express, no dispatch, no login',
  conventional: 'Nest + Express + session + passport + ValidationPipe',
  few: 'panel, user side, 10 operations',
  many: 'panel, user side, 1,000 operations',
  admin: 'panel, admin side, 1,000 operations',
  route: 'panel, route /bench/{id}, 10 routes',
  routes: 'panel, route /bench/{id}, 1,000 routes',
  logged: 'panel, 1,000 operations, every request logged',
};
const route = (name, server) => ({
  name,
  ...server,
  method: 'GET',
  path: '/bench/4711',
  accepts: (text) => JSON.parse(text).id === '4711',
});

let standings;
try {
  standings = await contest(
    [
      { name: names.raw, server: 'raw.mjs', path: '/user/ajax.php', body: `gn=echo&${FIELDS}`, accepts: echoes },
      { name: names.bare, server: 'bare-nest.mjs', path: '/user/ajax.php', body: `gn=echo&${FIELDS}`, accepts: echoes },
      { name: names.conventional, server: 'conventional.mjs', path: '/user/ajax.php', body: `gn=echo&${FIELDS}`, accepts: echoes },
      ajax(names.few, 'user', panel(10)),
      ajax(names.many, 'user', panel(1_000), 777),
      ajax(names.admin, 'admin', panel(1_000), 777),
      route(names.route, panel(10)),
      route(names.routes, panel(1_000)),
      ajax(names.logged, 'user', panel(1_000, 'info'), 777),
    ],
    { seconds: Number(process.env.TURN_SECONDS ?? 2), rounds: Number(process.env.ROUNDS ?? 7) },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const of = (key) => standings.get(names[key]);

process.stdout.write(`\nPOST of a form with four fields (routes: GET), 20 connections, Node ${process.version}\n\n`);
printTable(
  ['server', 'requests/s', 'x node:http', 'x bare Nest', 'x conventional', 'CPU a request', 'x bare Nest by CPU'],
  [...standings.values()].map((standing) => [
    standing.name,
    standing.rate.toFixed(0),
    speed(standing, of('raw')).toFixed(2),
    speed(standing, of('bare')).toFixed(2),
    speed(standing, of('conventional')).toFixed(2),
    `${standing.cpu.toFixed(0)} µs`,
    thrift(standing, of('bare')).toFixed(2),
  ]),
);
printBars([
  {
    claim: 'operation, 1,000 registered: against bare Nest + Express',
    value: speed(of('many'), of('bare')),
    limit: 2,
    atLeast: true,
    unit: 'x',
  },
  {
    claim: 'operation, 1,000 registered: against session + passport + ValidationPipe',
    value: speed(of('many'), of('conventional')),
    limit: 2,
    atLeast: true,
    unit: 'x',
  },
  {
    claim: 'route, 1,000 registered: against bare Nest + Express',
    value: speed(of('routes'), of('bare')),
    limit: 1.5,
    atLeast: true,
    unit: 'x',
  },
  { claim: 'operations: 1,000 registered against 10', value: speed(of('many'), of('few')), limit: 0.9, atLeast: true, unit: 'x' },
  { claim: 'routes: 1,000 registered against 10', value: speed(of('routes'), of('route')), limit: 0.9, atLeast: true, unit: 'x' },
]);

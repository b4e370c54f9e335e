/**
 * A file of 10 KB from a hosted site, its traffic metered and limited, compared with the same file from sirv, and from nginx if it is
 * installed, in one run. Each server is a process of its own (nginx: one worker), and only one has traffic at a time. Run: `npm run
 * bench:sites`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { printBars, printTable } from './measure.mjs';
import { contest, speed } from './servers/contest.mjs';

const SIZE = 10 * 1024;
const FILE = 'page.html';
const HOST = 'bench01.localhost';
const NGINX_PORT = Number(process.env.NGINX_PORT ?? 3947);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-sites-'));
const names = { site: 'hosted site', sirv: 'sirv', nginx: 'nginx' };

const common = { method: 'GET', path: `/${FILE}`, accepts: (text) => text.length === SIZE };
const [data, plain] = ['panel', 'plain'].map((name) => join(folder, name));
mkdirSync(data);
mkdirSync(plain);
writeFileSync(join(plain, FILE), 'x'.repeat(SIZE));
/** @type {import('./servers/contest.mjs').Candidate[]} */
const candidates = [
  { name: names.sirv, server: 'sirv.mjs', env: { FOLDER: plain }, ...common },
  {
    name: names.site,
    server: 'site.mjs',
    env: {
      DATA_DIR: data,
      DATABASE_URL: `sqlite:${join(data, 'panel.db')}`,
      LOG_LEVEL: 'silent',
      PORT: '0',
      SITES_PORT: '0',
      RATE_LIMIT: 'off',
      FILE,
      SIZE: String(SIZE),
      SITE: HOST,
    },
    headers: { host: HOST },
    ...common,
  },
];

const hasNginx = (() => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
let nginx;
if (hasNginx) {
  const lines = [
    'daemon off; worker_processes 1; user root;',
    `pid ${folder}/nginx.pid; error_log /dev/null;`,
    'events { worker_connections 256; }',
    'http { access_log off; keepalive_requests 1000000000; types { text/html html; } ' +
      `server { listen 127.0.0.1:${NGINX_PORT}; root ${plain}; } }`,
  ];
  writeFileSync(join(folder, 'nginx.conf'), lines.join('\n'));
  nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
  candidates.push({ name: names.nginx, at: NGINX_PORT, ...common });
}

let standings;
try {
  standings = await contest(candidates, { seconds: Number(process.env.TURN_SECONDS ?? 2), rounds: Number(process.env.ROUNDS ?? 7) });
} finally {
  nginx?.kill();
  rmSync(folder, { recursive: true, force: true });
}
const sirv = standings.get(names.sirv);
process.stdout.write(`\nA file of 10 KB, 20 connections, Node ${process.version}\n\n`);
printTable(
  ['server', 'requests/s', 'x sirv', 'CPU a request'],
  [...standings.values()].map((standing) => [
    standing.name,
    standing.rate.toFixed(0),
    speed(standing, sirv).toFixed(2),
    standing.cpu > 0 ? `${standing.cpu.toFixed(0)} µs` : '',
  ]),
);
printBars([{ claim: 'a hosted site: against sirv', value: speed(standings.get(names.site), sirv), limit: 0.8, atLeast: true, unit: 'x' }]);

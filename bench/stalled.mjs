/**
 * Cost of 200 clients that send most of a request and then stall, for each entry point: memory of the process over time, and whether other
 * requests are served meanwhile. Run: `npm run bench:stalled`; MAIN selects another build's dist/src/main.js, CLIENTS their number.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { printTable } from './measure.mjs';

const MB = 1024 * 1024;
const CLIENTS = Number(process.env.CLIENTS ?? 200);
const SECONDS = [0, 1, 2, 4, 8];
const MAIN = process.env.MAIN ?? fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
const PORT = Number(process.env.PORT ?? 3911);
const url = `http://127.0.0.1:${PORT}`;
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-stalled-'));

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
const file = '--x\r\nContent-Disposition: form-data; name="zipfile"; filename="a.zip"\r\n\r\n';

/**
 * All but 2 kB of the declared bytes are sent.
 * @type {[name: string, path: string, headers: Record<string, string>, declared: number][]}
 */
const ENTRANCES = [
  ['admin/ajax.php', '/admin/ajax.php', form, MB],
  ['user/ajax.php', '/user/ajax.php', form, MB],
  ['user/ajax.php, files', '/user/ajax.php', multipart, 2 * MB],
  ['pay/sandbox/notify', '/pay/sandbox/notify', form, MB],
  ['api.php', '/api/api.php?gn=kt', form, MB],
  ['node.php, X-SVC-Node: nobody', '/api/node.php?act=report_result', { ...json, 'x-svc-node': 'nobody' }, 8 * MB],
  ['store, JSON', '/api/auth/login', json, 64 * 1024],
  ['store, upload', '/api/developer/validate', multipart, 2 * MB],
];

async function start(name) {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: join(folder, name),
    PORT: String(PORT),
    SITES_PORT: '0',
    CAPTCHA: 'off',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'fatal',
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' });
  for (let i = 0; i < 300; i += 1, await pause(100)) if ((await fetch(`${url}/readyz`).catch(() => null))?.status === 200) return child;
  throw new Error('The server does not start.');
}
const memory = (child) => (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) * 1_024) / MB;

async function developer() {
  const body = JSON.stringify({ username: 'staller', password: 'secret-1', email: 'staller@example.org' });
  const response = await fetch(`${url}/api/auth/register`, { method: 'POST', body, headers: json });
  return response.headers.getSetCookie()[0].split(';')[0];
}

/** Whether another client is served: sends a form of 10 kB. */
async function somebodyElse() {
  const begun = performance.now();
  const body = new URLSearchParams({ gn: 'login', user: 'x'.repeat(10_000), pass: 'x' });
  const response = await fetch(`${url}/user/ajax.php`, { method: 'POST', body, signal: AbortSignal.timeout(5_000) }).catch((error) => ({
    status: error.name,
  }));
  return `${response.status} in ${(performance.now() - begun).toFixed(0)} ms`;
}

try {
  const rows = [];
  for (const [i, [name, path, headers, declared]] of ENTRANCES.entries()) {
    for (const size of ['declared', 'chunked']) {
      const child = await start(`${i}-${size}`);
      const cookie = path.includes('developer') ? { cookie: await developer() } : {};
      await somebodyElse();
      const sent = Buffer.alloc(declared - 2_048, ' ');
      if (headers === multipart) sent.write(file);
      const framing = size === 'declared' ? { 'content-length': declared } : { 'transfer-encoding': 'chunked' };
      const lines = Object.entries({ host: 'x', ...headers, ...cookie, ...framing }).map(([key, value]) => `${key}: ${value}\r\n`);
      const head = Buffer.from(
        `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${size === 'declared' ? '' : `${declared.toString(16)}\r\n`}`,
      );
      const before = memory(child);
      const sockets = Array.from({ length: CLIENTS }, () => {
        const socket = connect(PORT, '127.0.0.1', () => (socket.write(head), socket.write(sent)));
        return socket.on('error', () => undefined).resume();
      });
      const begun = performance.now();
      const seen = [];
      for (const second of SECONDS) {
        await pause(Math.max(0, second * 1_000 - (performance.now() - begun)));
        seen.push(memory(child) - before);
      }
      const open = sockets.filter(({ destroyed }) => !destroyed).length;
      const served = await somebodyElse();
      const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
      const told = performance.now();
      child.kill('SIGTERM');
      const code = await ended;
      rows.push([
        `${name} (${size})`,
        before.toFixed(0),
        ...seen.map((value) => `+${value.toFixed(0)}`),
        String(open),
        served,
        `${code} after ${((performance.now() - told) / 1_000).toFixed(1)} s`,
      ]);
      for (const socket of sockets) socket.destroy();
    }
  }
  process.stdout.write(`\n${CLIENTS} stalled clients, memory of the process in MB, Node ${process.version}\n\n`);
  printTable(['way in', 'before', ...SECONDS.map((second) => `${second} s`), 'still open', 'somebody else', 'SIGTERM'], rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

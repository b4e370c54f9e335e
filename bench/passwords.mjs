// Effect of 50 concurrent logins on other requests: p99 of other requests during the logins relative to before, compared with a server that
// passes every password to the thread pool immediately and one that hashes on the event loop.
// npm run build && node bench/passwords.mjs
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { formatTime, median, printBars, printTable } from './measure.mjs';
import { portOf } from './typed.mjs';

const LOGINS = 50;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Milliseconds between two of the other requests: far below one core's capacity, so that only logins delay them. */
const INTERVAL = 4;
const PASSWORD = 'a long password';
const REACH = 1.5;

/** Each runs in a process of its own. */
const SERVERS = {
  async panel(folder) {
    await import('#dist/src/config/timezone.js');
    await import('reflect-metadata');
    const { startPanel } = await import('#dist/src/app/bootstrap.js');
    const { AppConfig } = await import('#dist/src/config/index.js');
    const panel = await startPanel(
      new AppConfig({ DATA_DIR: folder, PORT: '0', SITES_PORT: '0', CAPTCHA: 'off', RATE_LIMIT: 'off', ADMIN_PASSWORD: PASSWORD }),
    );
    return Number(new URL(panel.url).port);
  },
  async 'all at once'() {
    const { default: bcrypt } = await import('bcrypt');
    const stored = await bcrypt.hash(PASSWORD, 10);
    return bareServer(() => bcrypt.compare(PASSWORD, stored));
  },
  async 'on the loop'() {
    const { default: bcrypt } = await import('bcrypt');
    const stored = await bcrypt.hash(PASSWORD, 10);
    return bareServer(() => bcrypt.compareSync(PASSWORD, stored));
  },
};

async function bareServer(check) {
  const server = http.createServer(async (request, response) => {
    if (request.method === 'POST') await check();
    response.end('{"success":true}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return portOf(server);
}

function ask(port, agent, path, body) {
  const started = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const request = http.request(
      { port, host: '127.0.0.1', agent, path, headers, method: body === undefined ? 'GET' : 'POST' },
      (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => resolve({ took: Number(process.hrtime.bigint() - started), text }));
      },
    );
    // The server may close a kept connection at this very moment.
    const isClosed = (error) => request.reusedSocket && error.code === 'ECONNRESET';
    request.on('error', (error) => (isClosed(error) ? resolve(ask(port, agent, path, body)) : reject(error)));
    request.end(body);
  });
}

/** Sends other requests at a steady rate until `work` is done; returns their durations in nanoseconds. */
async function others(port, agent, work) {
  const pending = [];
  const timer = setInterval(() => pending.push(ask(port, agent, '/healthz')), INTERVAL);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return (await Promise.all(pending)).map(({ took }) => took);
}

function p99(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];
}

async function signInAll(port, agent) {
  const body = `gn=login&user=admin&pass=${encodeURIComponent(PASSWORD)}`;
  const answers = await Promise.all(Array.from({ length: LOGINS }, () => ask(port, agent, '/admin/ajax.php', body)));
  if (!answers.every(({ text }) => text.includes('"success":true'))) throw new Error(`a login failed: ${answers[0].text}`);
}

/** Logins come from a separate process: fifty concurrent requests would distort the measuring process's clock. */
async function crowd() {
  const child = fork(fileURLToPath(import.meta.url), ['crowd'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  return {
    signInAll: async (port) => {
      child.send(port);
      const [failure] = await once(child, 'message');
      if (failure) throw new Error(failure);
    },
    end: () => child.disconnect(),
  };
}

function beCrowd() {
  process.on('message', (port) => {
    // Fifty users have fifty separate connections.
    signInAll(port, new http.Agent()).then(
      () => process.send(''),
      (error) => process.send(String(error)),
    );
  });
  process.send('ready');
}

async function measureAll(folder) {
  const servers = [];
  const people = await crowd();
  for (const name of Object.keys(SERVERS)) {
    const child = fork(fileURLToPath(import.meta.url), [name, folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [port] = await once(child, 'message');
    const agent = new http.Agent({ keepAlive: true });
    servers.push({ name, child, port, agent, idle: [], busy: [], took: [] });
    await people.signInAll(port);
    for (let i = 0; i < 500; i++) await ask(port, agent, '/healthz');
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const server of servers) {
      const { port, agent } = server;
      const started = process.hrtime.bigint();
      server.busy.push(p99(await others(port, agent, () => people.signInAll(port))));
      const took = Number(process.hrtime.bigint() - started);
      server.took.push(took);
      server.idle.push(p99(await others(port, agent, () => new Promise((resolve) => setTimeout(resolve, took / 1e6)))));
    }
  }
  people.end();
  for (const { child, agent } of servers) {
    agent.destroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  return servers;
}

if (process.send) {
  process.on('disconnect', () => process.exit());
  if (process.argv[2] === 'crowd') beCrowd();
  else process.send(await SERVERS[process.argv[2]](process.argv[3]));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const rows = (await measureAll(folder).finally(() => rmSync(folder, { recursive: true, force: true }))).map((server) => ({
    ...server,
    ratio: median(server.busy.map((value, round) => value / server.idle[round])),
  }));
  printTable(
    [`${LOGINS} logins at once`, 'others idle p99', 'others p99 meanwhile', 'ratio', 'all signed in after'],
    rows.map(({ name, idle, busy, took, ratio }) => [
      name,
      formatTime(median(idle)),
      formatTime(median(busy)),
      ratio.toFixed(2),
      formatTime(median(took)),
    ]),
  );
  printBars([{ claim: 'p99 of other requests during 50 logins', value: rows[0].ratio, limit: REACH, unit: 'x idle' }]);
}

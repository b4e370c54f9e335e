/**
 * Servers with our agent: latency of an administrator's action in the browser (the test of a server) with 500 waiting agents, and the cost
 * of 2,000 idle agents that long-poll compared with 2,000 that poll every ten seconds. Run: `npm run bench:agent-calls`, about two minutes.
 */
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { sign, SITES_CAPABILITY } from '#dist/src/agents/index.js';

import { printBars, printTable } from './measure.mjs';
import { agentNode, seedAgents, sqlitePlace } from './seed.mjs';
import { ask, operate, start } from './servers/process.mjs';

const IDLE = 2_000;
const BUSY = 500;
const CALLS = 300;
const AT_ONCE = 10;
/** How long idle agents are observed, in milliseconds. */
const LOOK_MS = 20_000;
const PROBE = {
  system: 'Debian GNU/Linux 12 (bookworm)',
  versions: { nginx: '1.22.1', mariadb: '10.11.6', sshd: '9.2', agent: '1.84.0' },
  php: ['82'],
  disk: { total: 2, free: 1 },
  adminer: null,
  zone: 'Etc/UTC',
};

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const place = await sqlitePlace(folder);
await seedAgents(place.database, IDLE);
// Gives the agents a server that an administrator can test.
await place.database.dataSource.query("UPDATE SVC_bt SET driver = 'agent' WHERE btdh = 'agents'");
await place.close();

const panel = await start('panel.mjs', {
  DATA_DIR: folder,
  DATABASE_URL: `sqlite:${join(folder, 'panel.db')}`,
  PORT: '0',
  SITES_PORT: '0',
  RATE_LIMIT: 'off',
});
const { port } = new URL(panel.url);
const connections = new Agent({ keepAlive: true, maxSockets: Infinity });
let ending = false;

/** Sends a signed request of an agent, from its own address so that no limit per network applies. */
function call(i, act, body) {
  const { nodeId, secret, platformSecret } = agentNode(i);
  const path = `/api/node.php?act=${act}`;
  const text = JSON.stringify(body);
  const [time, nonce] = [String(Math.floor(Date.now() / 1_000)), randomBytes(12).toString('hex')];
  const signature = sign({ method: 'POST', url: path, body: Buffer.from(text), time, nonce }, { platformSecret, nodeSecret: secret });
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        path,
        method: 'POST',
        host: '127.0.0.1',
        localAddress: `127.0.0.${2 + (i % 200)}`,
        agent: connections,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
          'X-SVC-Node': nodeId,
          'X-SVC-Time': time,
          'X-SVC-Nonce': nonce,
          'X-SVC-Sign': signature,
        },
      },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (part) => (answer += part));
        response.on('end', () => {
          if (response.statusCode !== 200) return reject(new Error(`${act}: HTTP ${response.statusCode} ${answer}`));
          const read = JSON.parse(answer);
          if (read.success) resolve(read.data);
          else reject(new Error(`${act}: ${read.msg}`));
        });
      },
    );
    // A kept-alive connection may be closed at this very moment: agents retry.
    const failed = (error) => (sent.reusedSocket && error.code === 'ECONNRESET' ? resolve(call(i, act, body)) : reject(error));
    sent.on('error', failed).end(text);
  });
}

async function work(i, wait, every) {
  while (!ending) {
    const { task } = await call(i, 'pull_task', wait ? { wait } : {}).catch((error) => {
      if (ending) return { task: null };
      throw error;
    });
    if (task)
      await call(i, 'report_result', {
        task_id: task.task_id,
        attempt: task.attempt,
        status: 'success',
        result: { outcome: 'ok', value: PROBE, body: null },
      });
    if (every) await pause(every);
  }
}

const heartbeat = (i) => call(i, 'heartbeat', { status: 'online', capabilities: ['task', SITES_CAPABILITY] });

async function test(id) {
  const began = performance.now();
  const answer = await operate(panel, new URLSearchParams({ gn: 'btztjc', btid: String(id) }));
  if (!answer.success) throw new Error(JSON.stringify(answer));
  return performance.now() - began;
}

/** Measures processor time and memory of the panel while agents are idle. */
async function idle() {
  await ask(panel.child, 'watch');
  const { cpu: before } = await ask(panel.child, 'cpu');
  const began = performance.now();
  await pause(LOOK_MS);
  const { cpu } = await ask(panel.child, 'cpu');
  const seen = await ask(panel.child, 'seen');
  return { core: (cpu - before) / 1_000 / (performance.now() - began), peak: seen.peak / 1024 / 1024, delay: seen.delay.p99 };
}

const bars = [];
try {
  const { rows } = await operate(panel, new URLSearchParams({ gn: 'listbt', limit: '10', ss: 'agents' }));
  const { id } = rows.find(({ btdh }) => btdh === 'agents');
  const quiet = await idle();
  for (let i = 0; i < IDLE; i += 100) await Promise.all(Array.from({ length: 100 }, (_, k) => heartbeat(i + k)));
  // Cost of plain polling: each agent polls every ten seconds, spread evenly.
  const polls = Array.from({ length: IDLE }, async (_, i) => {
    await pause((i * 10_000) / IDLE);
    if (!ending) await work(i, 0, 10_000);
  });
  await pause(10_000);
  const plain = await idle();
  ending = true;
  await Promise.all(polls);
  ending = false;
  const waits = Array.from({ length: IDLE }, (_, i) => work(i, 25, 0));
  await pause(5_000);
  const waiting = await idle();
  // A server's task goes to the agent heard from last; 500 of them keep sending heartbeats.
  for (let i = 0; i < BUSY; i += 100) await Promise.all(Array.from({ length: 100 }, (_, k) => heartbeat(i + k)));
  const times = [];
  for (let i = 0; i < CALLS; i += AT_ONCE) times.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => test(id)))));
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  ending = true;
  process.stdout.write(`\n${IDLE} agents, SQLite, one process, Node ${process.version}\n\n`);
  const line = (name, { core, peak, delay }) => [name, `${(core * 100).toFixed(1)} %`, `${peak.toFixed(0)} MB`, `${delay.toFixed(1)} ms`];
  printTable(
    ['agents', 'of one core', 'most memory', 'p99 of the event loop'],
    [line('none', quiet), line('asking every 10 s', plain), line('waiting 25 s', waiting)],
  );
  process.stdout.write(`\nThe test of a server, ${CALLS} times, ${AT_ONCE} at once, ${IDLE} agents waiting\n\n`);
  printTable(['p50', 'p95', 'most'], [[at(0.5), at(0.95), at(1)].map((ms) => `${ms.toFixed(0)} ms`)]);
  bars.push(
    { claim: 'an interactive action with 500 agents and more: p95', value: at(0.95), limit: 300, unit: 'ms' },
    { claim: '2,000 idle waits against polling: processor time', value: waiting.core / plain.core, limit: 1, unit: 'x' },
  );
  connections.destroy();
  await Promise.allSettled(waits);
} finally {
  panel.child.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
printBars(bars);

// Lateness of the checks of 20,000 URL monitors at 60 seconds, and whether memory stays flat: the product's runner on its own database, on
// both engines, against a target on this machine.
// Run: `npm run bench:monitor`. MINUTES=n sets the duration (2 by default, after one minute of warm-up); MONITORS=n their number;
// `ENGINES=sqlite` one engine. MariaDB runs if TEST_DATABASE_SERVER (default: root on loopback) is reachable. Lateness is measured by the
// target: each monitor is due at a fixed moment of its minute, which its request contains.
import '#dist/src/config/timezone.js';
import 'reflect-metadata';

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Clock } from '#dist/src/common/index.js';
import { AppConfig } from '#dist/src/config/index.js';
import { MonitorTask } from '#dist/src/monitor/index.js';
import { MonitorProbe } from '#dist/src/monitor/checks/monitor-probe.js';
import { UrlCheck } from '#dist/src/monitor/checks/url-check.js';
import { DueMonitors } from '#dist/src/monitor/runs/due-monitors.js';
import { MaintenanceWindows } from '#dist/src/monitor/runs/maintenance-windows.js';
import { MonitorRunner } from '#dist/src/monitor/runs/monitor-runner.js';
import { Outcomes } from '#dist/src/monitor/runs/outcomes.js';
import { OwnNetwork } from '#dist/src/monitor/runs/own-network.js';
import { RollUps } from '#dist/src/monitor/stats/index.js';

import { mariadbPlace, sqlitePlace } from './seed.mjs';
import { portOf, standIn } from './typed.mjs';

const MONITORS = Number(process.env.MONITORS ?? 20_000);
const MINUTES = Number(process.env.MINUTES ?? 2);
const INTERVAL = 60_000;
const ENGINES = (process.env.ENGINES ?? 'sqlite,mariadb').split(',');
const PLACES = { sqlite: (folder) => sqlitePlace(folder, 'monitors'), mariadb: mariadbPlace };

if (process.argv[2] === 'target') target();
else await main();

/** The monitored server, in a process of its own: reports how late each request arrived. */
function target() {
  const start = Number(process.argv[3]);
  let late = [];
  const server = createServer((request, response) => {
    const due = start + Number(new URL(request.url, 'http://target').searchParams.get('due'));
    const after = Date.now() - due;
    late.push(((after % INTERVAL) + INTERVAL) % INTERVAL);
    response.end('all is well');
  });
  process.on('message', () => {
    process.send(late);
    late = [];
  });
  process.on('disconnect', () => process.exit(0));
  server.listen(0, '127.0.0.1', () => process.send(portOf(server)));
}

async function main() {
  for (const engine of ENGINES) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      const place = await PLACES[engine](folder);
      if (place) await measure(place, folder);
      else console.log(`No ${engine}: set TEST_DATABASE_SERVER.`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Runs the monitors on one engine. @param {import('./seed.mjs').Place} place @param {string} folder */
async function measure({ database, close }, folder) {
  const start = Date.now() + 5_000;
  const server = fork(new URL(import.meta.url).pathname, ['target', String(start)]);
  const message = () => new Promise((resolve) => server.once('message', resolve));
  const port = await message();
  const now = new Date();
  for (let at = 0; at < MONITORS; at += 500) {
    const rows = Array.from({ length: Math.min(500, MONITORS - at) }, (_value, n) => {
      const due = Math.round(((at + n) / MONITORS) * INTERVAL);
      return {
        user: '',
        name: `m${at + n}`,
        url: `http://127.0.0.1:${port}/?due=${due}`,
        nextRunAt: new Date(start + due),
        createdAt: now,
        updatedAt: now,
      };
    });
    await database.repository(MonitorTask).insert(rows);
  }

  const clock = new Clock();
  const url = new UrlCheck(
    new MonitorProbe(new AppConfig({ DATA_DIR: folder, MONITOR_ALLOW: '127.0.0.1' })),
    standIn({ open: () => null }),
  );
  /** @type {import('#dist/src/monitor/checks/checks.js').Checks} */
  const checks = standIn({ run: (task) => url.check(task) });
  /** @type {import('#dist/src/notify/index.js').Notices} */
  const notices = standIn({ send: async () => 0 });
  const network = new OwnNetwork(database, clock, standIn({ current: standIn({ monitorNeutral: '' }) }), standIn({}), notices);
  const outcomes = new Outcomes(database, clock, notices, network);
  const runner = new MonitorRunner(new DueMonitors(database, clock), new MaintenanceWindows(database, clock), checks, outcomes);
  const rollUps = new RollUps(database, clock);
  const rolling = setInterval(() => void rollUps.addUp(), INTERVAL);
  runner.start();

  console.log(`${MONITORS} monitors every ${INTERVAL / 1_000} s on ${database.engine}; one minute to warm up, then ${MINUTES}`);
  console.log('minute   checks   late p50    p99      max       heap     resident  processor');
  let failed = false;
  let cpu = process.cpuUsage();
  const heaps = [];
  await new Promise((resolve) => setTimeout(resolve, start - Date.now()));
  for (let minute = 0; minute <= MINUTES; minute += 1) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    global.gc?.();
    server.send('late?');
    const late = (await message()).sort((a, b) => a - b);
    const { heapUsed, rss } = process.memoryUsage();
    const spent = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const at = (part) => late[Math.min(late.length - 1, Math.floor(late.length * part))] ?? NaN;
    const mb = (bytes) => `${(bytes / 1024 ** 2).toFixed(0)} MB`.padStart(8);
    const busy = ((spent.user + spent.system) / 10 / INTERVAL).toFixed(0);
    console.log(
      `${String(minute === 0 ? 'warm' : minute).padEnd(7)}${String(late.length).padStart(8)}${`${at(0.5)} ms`.padStart(11)}` +
        `${`${at(0.99)} ms`.padStart(10)}${`${at(1)} ms`.padStart(10)} ` +
        ` ${mb(heapUsed)}  ${mb(rss)}  ${busy.padStart(6)} %`,
    );
    if (minute === 0) continue;
    heaps.push(heapUsed);
    if (at(0.99) > 2_000 || late.length < MONITORS * 0.98) failed = true;
  }
  const growth = heaps.at(-1) / heaps[0];
  console.log(`p99 ${failed ? 'ABOVE' : 'within'} 2 s; heap of the last minute is ${growth.toFixed(2)} times that of the first`);
  clearInterval(rolling);
  await runner.onModuleDestroy();
  server.disconnect();
  await close();
  if (failed) process.exitCode = 1;
}

/**
 * Cost of a start, panel and store in one process: time and CPU until `/readyz` reports ready, and memory a second later. Once on an empty
 * folder, then on the existing one, which is what counts. Run: `npm run bench:start`; MAIN selects another build's dist/src/main.js, ROUNDS
 * the number of starts, SERVICES what is started. For Linux.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { median, printBars, printTable } from './measure.mjs';

const MB = 1024 * 1024;
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const MAIN = process.env.MAIN ?? fileURLToPath(new URL('../dist/src/main.js', import.meta.url));
const PORT = Number(process.env.PORT ?? 3912);
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-start-'));
const { PATH, SERVICES } = process.env;
const env = { PATH, DATA_DIR: folder, PORT: String(PORT), SITES_PORT: '0', LOG_LEVEL: 'fatal', ...(SERVICES && { SERVICES }) };

/** CPU time of all its threads so far in milliseconds: proc(5), user and system time in ticks of 10 ms. */
function cpuOf(pid) {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
const residentOf = (pid) => (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1_024) / MB;

async function untilReady(child) {
  while (child.exitCode === null) {
    if ((await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null))?.status === 200) return;
    await pause(10);
  }
  throw new Error('The server does not start.');
}

/** Starts and stops once. */
async function start() {
  const begun = performance.now();
  const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' });
  await untilReady(child);
  const ready = performance.now() - begun;
  const cpu = cpuOf(child.pid);
  await pause(1_000);
  const resident = residentOf(child.pid);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { ready, cpu, resident };
}

try {
  const first = await start();
  const later = [];
  for (let round = 0; round < ROUNDS; round += 1) later.push(await start());
  const of = (name, pick) => pick(later.map((one) => one[name]));
  const row = (name, { ready, cpu, resident }) => [name, `${ready.toFixed(0)} ms`, `${cpu.toFixed(0)} ms`, `${resident.toFixed(0)} MB`];
  const least = (values) => Math.min(...values);
  const all = (pick) => ({ ready: of('ready', pick), cpu: of('cpu', pick), resident: of('resident', pick) });
  printTable(
    ['start', 'ready', 'CPU', 'resident'],
    [row('first, empty folder', first), row(`later ones, median of ${ROUNDS}`, all(median)), row('later ones, least', all(least))],
  );
  printBars([
    { claim: 'ready', value: of('ready', median) / 1_000, limit: 2, unit: 's' },
    { claim: 'resident', value: of('resident', median), limit: 150, unit: 'MB' },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { PACKAGE_ROOT } from '../package-root.js';

import type { Stall } from './watchdog.js';

/**
 * A process with a watchdog: makes `looping` when its callback begins, which lasts until there is `go`, and prints each stall; then waits.
 */
const SOURCE = `
  import { existsSync, writeFileSync, writeSync } from 'node:fs';
  import { PluginCalls, watchStalls } from '${pathToFileURL(join(PACKAGE_ROOT, 'dist/src/common/index.js')).href}';
  watchStalls((stall) => writeSync(1, JSON.stringify(stall) + '\\n'));
  const loop = new PluginCalls().guard('looper', 'route GET /loop', { kind: 'route' }, () => {
    writeFileSync('looping', '');
    while (!existsSync('go'));
  });
  process.on('message', (wanted) => wanted === 'loop' ? loop() : process.send('idle'));
  process.send('ready');
`;

let folder: string;
let child: ChildProcess;
let output: string;

const heard = (message: string): Promise<void> =>
  new Promise((resolve) => child.on('message', (said) => (said === message ? resolve() : undefined)));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-watchdog-'));
  child = spawn(process.execPath, ['--input-type=module', '-e', SOURCE], {
    cwd: folder,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text));
  await heard('ready');
});
afterEach(() => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Begins the loop. */
async function loop(): Promise<void> {
  child.send('loop');
  await expect.poll(() => existsSync(join(folder, 'looping')), { interval: 5, timeout: 10_000 }).toBe(true);
}

/** Nothing in the process runs for a time, as on a machine that sleeps. */
async function stop(milliseconds: number, meanwhile = (): void => undefined): Promise<void> {
  child.kill('SIGSTOP');
  await pause(milliseconds);
  meanwhile();
  child.kill('SIGCONT');
}

const goOn = (): void => writeFileSync(join(folder, 'go'), '');

/** What was told until now: it is told a moment after the main thread goes on. */
async function stalls(): Promise<Stall[]> {
  const idle = heard('idle');
  child.send('are you idle?');
  await idle;
  await pause(300);
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Stall);
}

describe('the watchdog, while it could not run itself', { timeout: 30_000 }, () => {
  it('still detects a loop: periods in which both ran add up, others are not counted', async () => {
    const began = performance.now();
    await loop();
    for (let n = 0; n < 3; n += 1) {
      await pause(250);
      await stop(800);
    }
    await pause(250);
    goOn();
    const took = performance.now() - began;
    const told = await stalls();
    expect(told).toMatchObject([{ culprit: { owner: 'looper', place: 'route GET /loop' } }]);
    // Of each time without it, 250 ms may be what it takes for a delay of every day.
    expect(told[0]!.milliseconds).toBeGreaterThanOrEqual(950);
    expect(told[0]!.milliseconds).toBeLessThan(took - 3 * 500);
  });

  it('blames nobody if an idle process was stopped for long', async () => {
    for (let n = 0; n < 2; n += 1) {
      await stop(1_200);
      await pause(100);
    }
    expect(await stalls()).toEqual([]);
  });

  it('blames nobody if a process was stopped for long during a short callback', async () => {
    await loop();
    await stop(1_500, goOn);
    expect(await stalls()).toEqual([]);
  });
});

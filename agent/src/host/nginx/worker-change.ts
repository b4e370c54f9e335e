import * as fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { readText } from '../files.js';

/** How long old workers may keep accepting requests, in milliseconds. */
const TIMEOUT_MS = 5_000;
const POLL_EVERY_MS = 5;
const PID_FILE = '/run/nginx.pid';

/**
 * Reloads nginx and waits until all workers with the old configuration have stopped accepting requests: nginx applies a reload
 * asynchronously, and a change reported as done must be visible to the next request.
 */
export async function reloadAndWait(reload: () => Promise<void>): Promise<void> {
  const before = await workers();
  await reload();
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await sleep(POLL_EVERY_MS)) {
    const now = await workers();
    if (now.length > 0 && !now.some((pid) => before.includes(pid))) return;
  }
}

/** Returns the PIDs of workers that accept requests; a worker that is shutting down says so in its process title. */
async function workers(): Promise<string[]> {
  const master = Number.parseInt((await readText(PID_FILE)) ?? '', 10);
  const children = Number.isInteger(master) ? await fs.readFile(`/proc/${master}/task/${master}/children`, 'utf8').catch(() => '') : '';
  const found: string[] = [];
  for (const pid of children.split(' ').filter((text) => text !== '')) {
    const title = (await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', '').trim();
    if (title === 'nginx: worker process') found.push(pid);
  }
  return found;
}

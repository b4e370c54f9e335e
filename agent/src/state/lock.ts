import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../errors.js';
import { asRecord } from '../record.js';

/** Another agent runs with the same state folder. */
export class LockedError extends Error {}

/** Start of a process that has ended, though there still is one of its number. */
const ENDED = 'ended';

/**
 * Takes the state folder for this process. A lock of a process that is gone (crash, power cut, number used again) is taken over.
 *
 * @returns gives it back
 * @throws LockedError
 */
export async function takeLock(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, 'agent.lock');
  const mine = JSON.stringify({ pid: process.pid, started: await processStart(process.pid), token: randomBytes(8).toString('hex') });
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await fs.writeFile(temporary, mine, { mode: 0o600 });
    for (let attempt = 0; attempt < 100; attempt++) {
      // Unlike opening with `wx`, a link shows the lock to others only with its content.
      if (await linkNew(temporary, file)) {
        return async () => {
          if ((await fs.readFile(file, 'utf8').catch(() => '')) === mine) await fs.rm(file, { force: true });
        };
      }
      const seen = await fs.readFile(file, 'utf8').catch(() => null);
      if (seen === null) continue;
      const holder = await lockHolder(seen);
      if (holder !== null)
        throw new LockedError(
          `Another agent (process ${holder}) runs with the state folder ${folder}. Stop ` +
            'it first, or give this one a "state_dir" of its own.',
        );
      if (!(await removeStale(file, seen, temporary))) await sleep(10);
    }
    throw new LockedError(`Cannot take the lock ${file}: others try at the same time.`);
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** @returns false when `to` is there already */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await fs.link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock nobody holds any more. Several may find it at once, and by the time a slow one acts, another's fresh lock may stand there:
 * so only who holds the claim on that very content removes it, after looking again.
 *
 * @param seen its content
 * @param mine a file with this process's lock
 * @returns false: somebody else is at it
 */
async function removeStale(file: string, seen: string, mine: string): Promise<boolean> {
  const claim = `${file}.${createHash('sha256').update(seen).digest('hex').slice(0, 8)}`;
  if (!(await linkNew(mine, claim))) {
    const claimed = await fs.readFile(claim, 'utf8').catch(() => null);
    if (claimed === null) return true;
    return (await lockHolder(claimed)) === null && removeStale(claim, claimed, mine);
  }
  if ((await fs.readFile(file, 'utf8').catch(() => null)) === seen) await fs.rm(file, { force: true });
  await fs.rm(claim, { force: true });
  return true;
}

/** Number of the living process a lock belongs to, or null. */
async function lockHolder(content: string) {
  let lock;
  try {
    lock = asRecord(JSON.parse(content));
  } catch {
    return null;
  }
  const pid = lock?.pid;
  if (lock === null || typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return null;
  }
  const started = await processStart(pid);
  if (started === ENDED) return null;
  return started !== '' && lock.started !== '' && started !== lock.started ? null : pid;
}

/**
 * When a process started, in a form that tells two processes with one number apart; '' where that is not known.
 *
 * One that has ended keeps its number until its parent asks how, and where its parent was killed too and the first process of the system
 * is none that asks, as in many containers, it keeps it for good: {@link ENDED}.
 */
async function processStart(pid: number) {
  try {
    const boot = await fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything. Behind it: the state first, how many threads there are 18th, the start time 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A thread of it may still be at the last thing it was told to do.
    if (fields[0] === 'Z' && Number(fields[17]) <= 1) return ENDED;
    return `${boot.trim()}/${fields[19]}`;
  } catch {
    return '';
  }
}

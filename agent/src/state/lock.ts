import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../errors.js';
import { asRecord } from '../record.js';

/** Another agent uses the same state folder. */
export class LockedError extends Error {}

/** Marks a process that has exited although its PID still exists (zombie). */
const ENDED = 'ended';

/**
 * Locks the state folder for this process. A lock of a dead process (crash, power loss, reused PID) is taken over.
 *
 * @returns a function that releases the lock
 * @throws LockedError
 */
export async function takeLock(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, 'agent.lock');
  const mine = JSON.stringify({ pid: process.pid, started: await processStart(process.pid), token: randomBytes(8).toString('hex') });
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await fs.writeFile(temporary, mine, { mode: 0o600 });
    for (let attempt = 0; attempt < 100; attempt++) {
      // Unlike opening with `wx`, a hard link makes the lock visible only together with its content.
      if (await linkNew(temporary, file)) {
        return async () => {
          if ((await fs.readFile(file, 'utf8').catch(() => '')) === mine) await fs.rm(file, { force: true });
        };
      }
      const content = await fs.readFile(file, 'utf8').catch(() => null);
      if (content === null) continue;
      const holder = await lockHolder(content);
      if (holder !== null)
        throw new LockedError(
          `Another agent (process ${holder}) already uses the state folder ${folder}. Stop ` +
            'it first, or set another "state_dir" for this one.',
        );
      if (!(await removeStale(file, content, temporary))) await sleep(10);
    }
    throw new LockedError(`Cannot acquire the lock ${file}: other processes try at the same time. Try again.`);
  } finally {
    await fs.rm(temporary, { force: true });
  }
}

/** @returns false if `to` already exists */
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
 * Removes a stale lock. Several processes may find it at the same time, and before a slow one acts, another may have created a new lock.
 * Therefore only the process that holds the claim on exactly this content removes it, after checking again.
 *
 * @param content its content
 * @param mine a file with this process's lock
 * @returns false if another process is removing it
 */
async function removeStale(file: string, content: string, mine: string): Promise<boolean> {
  const claim = `${file}.${createHash('sha256').update(content).digest('hex').slice(0, 8)}`;
  if (!(await linkNew(mine, claim))) {
    const claimed = await fs.readFile(claim, 'utf8').catch(() => null);
    if (claimed === null) return true;
    return (await lockHolder(claimed)) === null && removeStale(claim, claimed, mine);
  }
  if ((await fs.readFile(file, 'utf8').catch(() => null)) === content) await fs.rm(file, { force: true });
  await fs.rm(claim, { force: true });
  return true;
}

/** Returns the PID of the live process that holds a lock, or null. */
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
 * Returns a value that identifies the start of a process, to detect reused PIDs; '' if unknown, {@link ENDED} for a zombie.
 *
 * A zombie keeps its PID until its parent reaps it. In containers whose init process does not reap, it keeps it permanently.
 */
async function processStart(pid: number) {
  try {
    const boot = await fs.readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything. After it, the state is field 1, the thread count 18 and the start time 20.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // While other threads of a zombie exist, they may still be finishing work.
    if (fields[0] === 'Z' && Number(fields[17]) <= 1) return ENDED;
    return `${boot.trim()}/${fields[19]}`;
  } catch {
    return '';
  }
}

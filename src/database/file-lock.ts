import Sqlite from 'better-sqlite3';

import { DatabaseBusy, onceFree } from './sqlite-busy.js';

/** Somebody else has a file locked. */
export class FileLocked extends Error {}

/**
 * Runs `work` while no other process, and nobody else in this one, has the same file locked. The lock is an open transaction on a small
 * file, which the system ends with its process, however that ends: nothing is left to clear away, and nobody is taken for dead who is slow.
 * (Node has no `flock`; SQLite asks the system for the same.)
 *
 * @param path of the lock: a file of its own that stays, empty
 * @param waitMs how long a lock that somebody has is waited for
 * @throws FileLocked where it is not to be had by then; an error of SQLite where the folder is gone
 *
 * @example
 * ```ts
 * await withFileLock(join(folder, '.names.lock'), 10_000, () => rename(from, to));
 * ```
 */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    await onceFree(() => lock.exec('BEGIN EXCLUSIVE'), performance.now(), waitMs).catch((error: unknown) => {
      throw error instanceof DatabaseBusy ? new FileLocked(`${path} is locked by another process.`, { cause: error }) : error;
    });
    return await work();
  } finally {
    lock.close();
  }
}

import Sqlite from 'better-sqlite3';

import { DatabaseBusy, retryWhileBusy } from './sqlite-busy.js';

/** The file is locked by another process or other code in this one. */
export class FileLocked extends Error {}

/**
 * Runs `work` while holding an exclusive lock on a file, across and within processes. The lock is an open transaction on a small SQLite
 * file, which the system releases when its process ends in any way: no cleanup is needed, and a slow process keeps its lock. (Node has no
 * `flock`; SQLite uses the system's equivalent.)
 *
 * @param path of the lock: a dedicated file that stays, empty
 * @param waitMs how long to wait for the lock
 * @throws FileLocked if the lock is not available by then; an SQLite error if the folder does not exist
 *
 * @example
 * ```ts
 * await withFileLock(join(folder, '.names.lock'), 10_000, () => rename(from, to));
 * ```
 */
export async function withFileLock<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    await retryWhileBusy(() => lock.exec('BEGIN EXCLUSIVE'), performance.now(), waitMs).catch((error: unknown) => {
      throw error instanceof DatabaseBusy ? new FileLocked(`${path} is locked by another process.`, { cause: error }) : error;
    });
    return await work();
  } finally {
    lock.close();
  }
}

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { LockedError, takeLock } from '../../state/lock.js';

/** Another process holds the lock. Replaces the panel's locks, which are based on SQLite. */
export class FileLocked extends Error {}

const TRY_EVERY_MS = 25;

/**
 * Runs work while holding a lock against other processes of this site. The site's user cannot write to the home folder, so the locks are in
 * its `tmp`.
 *
 * @throws FileLocked
 */
export async function withFileLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const folder = path.join(path.dirname(file), 'tmp', path.basename(file));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = await acquire(folder, Date.now() + waitMs);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function acquire(folder: string, until: number): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await takeLock(folder);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (Date.now() >= until) throw new FileLocked(`${folder} is locked by another process.`, { cause: error });
      await sleep(TRY_EVERY_MS);
    }
  }
}

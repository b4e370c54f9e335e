import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { LockedError, takeLock } from '../../state/lock.js';

/** Another process has the lock. In place of the panel's, which are SQLite's. */
export class FileLocked extends Error {}

const TRY_EVERY_MS = 25;

/**
 * Runs work while no other process of this site does any under the same lock. The folder of a site is not its
 * user's: locks lie in `tmp` there.
 *
 * @throws FileLocked
 */
export async function withFileLock<T>(file: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  const folder = path.join(path.dirname(file), 'tmp', path.basename(file));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const letGo = await taken(folder, Date.now() + waitMs);
  try {
    return await work();
  } finally {
    await letGo();
  }
}

async function taken(folder: string, until: number): Promise<() => Promise<void>> {
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

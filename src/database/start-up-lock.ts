import type { Database } from './database.js';
import { FileLocked, withFileLock } from './file-lock.js';

/** How long a second process waits for the first one's migrations, in seconds. */
const WAIT_SECONDS = 120;
const STILL_LOCKED = 'Another process is still setting up this database. Wait for it, or end it, and start again.';

/**
 * Runs `work` while no other process does the same on this database. The lock dies with its process: on SQLite it is a
 * transaction on a file of its own beside the database, on MySQL a named lock of one connection.
 *
 * @throws Error when another process keeps the lock for two minutes
 */
export async function withStartUpLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.engine === 'sqlite' ? besideTheFile(database, work) : withNamedLock(database, work);
}

async function besideTheFile<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const path = `${String(database.dataSource.options.database)}.lock`;
  return withFileLock(path, WAIT_SECONDS * 1_000, work).catch((error: unknown) => {
    throw error instanceof FileLocked ? new Error(STILL_LOCKED, { cause: error }) : error;
  });
}

async function withNamedLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const runner = database.dataSource.createQueryRunner();
  const name = `svc_start_${String(database.dataSource.driver.database)}`.slice(0, 64);
  try {
    const [row] = (await runner.query('SELECT GET_LOCK(?, ?) AS held', [name, WAIT_SECONDS])) as { held: number | null }[];
    if (Number(row?.held) !== 1) {
      throw new Error(STILL_LOCKED);
    }
    return await work();
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [name]).catch(() => undefined);
    await runner.release();
  }
}

import type { AppConfig } from '../config/index.js';

import type { Database } from './database.js';
import { FileLocked, withFileLock } from './file-lock.js';

/** How long another process waits for the first one's migrations, in seconds. */
const WAIT_SECONDS = 120;
const STILL_LOCKED = 'Another process is still migrating this database. Wait for it or stop it, then start again.';

/**
 * Runs `work` under the start-up lock of this database. The lock is released with its process: on SQLite it is a transaction on a lock file
 * next to the database, on MySQL a named lock of a connection.
 *
 * @throws Error if another process keeps the lock for two minutes
 */
export async function withStartUpLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.engine === 'sqlite' ? withLockFile(String(database.dataSource.options.database), work) : withNamedLock(database, work);
}

/**
 * As {@link withStartUpLock}, before the database is opened, for work that replaces it. {@link isIdle} does not count the lock's
 * connection.
 *
 * @throws as {@link withStartUpLock}
 */
export async function beforeStartUp<T>({ sqlitePath, databaseUrl }: AppConfig, work: () => Promise<T>): Promise<T> {
  if (sqlitePath) return withLockFile(sqlitePath, work);
  const { createConnection } = await import('mysql2/promise');
  const url = new URL(databaseUrl.replace(/^mariadb:/, 'mysql:'));
  const name = lockName(decodeURIComponent(url.pathname.slice(1)));
  url.pathname = '/';
  const connection = await createConnection(url.href);
  try {
    const [rows] = await connection.query('SELECT GET_LOCK(?, ?) AS held', [name, WAIT_SECONDS]);
    if (Number((rows as { held: number | null }[])[0]?.held) !== 1) throw new Error(STILL_LOCKED);
    return await work();
  } finally {
    // Closing the connection releases the lock.
    await connection.end().catch(() => undefined);
  }
}

async function withLockFile<T>(database: string, work: () => Promise<T>): Promise<T> {
  return withFileLock(`${database}.lock`, WAIT_SECONDS * 1_000, work).catch((error: unknown) => {
    throw error instanceof FileLocked ? new Error(STILL_LOCKED, { cause: error }) : error;
  });
}

const lockName = (database: string): string => `svc_start_${database}`.slice(0, 64);

async function withNamedLock<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const runner = database.dataSource.createQueryRunner();
  const name = lockName(String(database.dataSource.driver.database));
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

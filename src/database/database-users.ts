import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import Sqlite from 'better-sqlite3';

import type { AppConfig } from '../config/index.js';

/** Poll interval while waiting for users to disconnect, in milliseconds. */
const POLL_MS = 100;

/**
 * Waits until the database is idle: no process has the SQLite file open, or is connected to the server's database, as far as this account
 * can see.
 *
 * @param patienceMs how long to wait for disconnecting users: a server notices a closed connection with a delay
 * @returns false if the database is still in use
 *
 * @example
 * ```ts
 * if (!(await isIdle(config, 2_000))) throw new Error('A panel uses this database.');
 * ```
 */
export async function isIdle(config: AppConfig, patienceMs: number): Promise<boolean> {
  const isBusy = async (): Promise<boolean> =>
    config.sqlitePath ? isFileOpen(config.sqlitePath) : (await connections(config.databaseUrl)) > 0;
  for (const end = performance.now() + patienceMs; await isBusy(); await pause(POLL_MS)) if (performance.now() > end) return false;
  return true;
}

function isFileOpen(path: string): boolean {
  if (!existsSync(path)) return false;
  const handle = new Sqlite(path, { timeout: 0 });
  try {
    // In WAL mode, an exclusive lock is only granted if no other connection has the file open.
    handle.pragma('locking_mode = EXCLUSIVE');
    handle.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch (error) {
    if (String((error as { code?: string }).code).startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    handle.close();
  }
}

async function connections(url: string): Promise<number> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(url.replace(/^mariadb:/, 'mysql:'));
  try {
    const [rows] = await connection.query(
      'SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    );
    return Number((rows as { n: number }[])[0]!.n);
  } finally {
    await connection.end();
  }
}

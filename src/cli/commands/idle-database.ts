import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';

import type { AppConfig } from '../../config/index.js';
import { type Database, serveAlone, withStartUpLock } from '../../database/index.js';

import { CommandError } from './command.js';

const RUNNING = 'A panel uses this database. Stop every process of it first (systemctl stop …), then run this again.';

/** How long users that are about to go are waited for, in milliseconds: a server notices the end of a connection a moment after it. */
const PATIENCE_MS = 2_000;

/**
 * Sees to it that nobody else uses the database, before it is opened here.
 *
 * @throws CommandError where another process has the SQLite file open, or is connected to the database of the server, as far as this account may see
 */
export async function requireIdle(config: AppConfig): Promise<void> {
  const isBusy = async (): Promise<boolean> =>
    config.sqlitePath ? isFileOpen(config.sqlitePath) : (await connections(config.databaseUrl)) > 0;
  for (const end = performance.now() + PATIENCE_MS; await isBusy(); await pause(100)) {
    if (performance.now() > end) throw new CommandError(RUNNING);
  }
}

/**
 * Works on an open database while no panel starts on it: one that tries meanwhile waits, and says what it waits for. One that came in since {@link requireIdle}
 * had a look at an SQLite file is noticed.
 *
 * @param what the command, for whoever else wants the file
 * @throws ServedAlready where a panel came in
 *
 * @example
 * ```ts
 * await requireIdle(config);
 * await withDatabase(config, (database) => withoutPanels(database, 'svc import', () => takeOver(database)));
 * ```
 */
export function withoutPanels<Result>(database: Database, what: string, work: () => Promise<Result>): Promise<Result> {
  return withStartUpLock(database, async () => {
    const letGo = database.engine === 'sqlite' ? await serveAlone(String(database.dataSource.options.database), what) : () => undefined;
    try {
      return await work();
    } finally {
      letGo();
    }
  });
}

function isFileOpen(path: string): boolean {
  if (!existsSync(path)) return false;
  const handle = new Sqlite(path, { timeout: 0 });
  try {
    // In WAL mode a connection may have the file for itself only while no other has it open.
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
  const connection = await mysql.createConnection(url.replace(/^mariadb:/, 'mysql:'));
  try {
    const [rows] = await connection.query(
      'SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
    );
    return Number((rows as { n: number }[])[0]!.n);
  } finally {
    await connection.end();
  }
}

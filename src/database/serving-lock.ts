import { hostname } from 'node:os';

import Sqlite from 'better-sqlite3';

import { errorMessage, loggerFor } from '../common/index.js';

import { DatabaseBusy, retryWhileBusy } from './sqlite-busy.js';

const log = loggerFor('database');

/** How long to wait for a process that is ending, in milliseconds; it releases the lock right after its last response. */
const WAIT_MS = 2_000;

/** Keeps lock handles from being garbage collected, which would release the lock. */
const held = new Set<Sqlite.Database>();

/** The process that holds an SQLite file exclusively. */
export interface ServingProcess {
  /** For example `panel` or `svc restore`. */
  readonly what: string;
  readonly pid: number;
  /** Host name of the machine or container. */
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Another process holds the SQLite file. */
export class ServedAlready extends Error {
  constructor(
    readonly path: string,
    /** Null if its information is not available yet. */
    readonly holder: ServingProcess | null,
  ) {
    const holderText = holder
      ? `${holder.what}, process ${holder.pid} on ${holder.host} since ${holder.since.slice(0, 19).replace('T', ' ')} UTC`
      : 'another process';
    super(
      `${path} is in use by ${holderText}. SQLite supports a single process: stop that one first (systemctl stop ` +
        `…${holder ? `, or kill ${holder.pid}` : ''}), or set another DATA_DIR for this one. ` +
        'To run several processes, use MySQL or MariaDB (DATABASE_URL).',
    );
    this.name = 'ServedAlready';
  }
}

/**
 * Acquires exclusive use of an SQLite file until released or the process ends in any way: the lock is an open transaction on a small file
 * next to the database, which the system releases with the process. Commands that run next to a panel do not acquire it.
 *
 * @param path of the database
 * @param what name of this process, shown to processes that are refused
 * @returns function that releases the lock
 * @throws ServedAlready if another process holds it for two more seconds; Error if the lock file is not an SQLite file
 *
 * @example
 * ```ts
 * const letGo = await serveAlone('/srv/panel/panel.db', 'panel');
 * ```
 */
export async function serveAlone(path: string, what: string): Promise<() => void> {
  // Readers are still allowed, so that they can read who holds the lock.
  const lock = new Sqlite(`${path}.serving`, { timeout: 0 });
  try {
    const began = performance.now();
    const begin = (): unknown => lock.exec('BEGIN IMMEDIATE');
    await retryWhileBusy(begin, began, WAIT_MS);
    storeHolder(lock, what);
    // Fails if another process acquired it in between.
    await retryWhileBusy(begin, began, 0);
    held.add(lock);
    return () => {
      held.delete(lock);
      lock.close();
    };
  } catch (error) {
    const holder = error instanceof DatabaseBusy ? holderIn(lock) : undefined;
    lock.close();
    if (holder !== undefined) throw new ServedAlready(path, holder);
    throw isNoDatabase(error)
      ? new Error(
          `${path}.serving cannot be read (${errorMessage(error)}). Make sure that no panel runs on ${path}, remove the ` +
            'file, and start again.',
          { cause: error },
        )
      : error;
  }
}

/** Stores this process's information and ends the transaction; if the disk is full, the lock is held without it. */
function storeHolder(lock: Sqlite.Database, what: string): void {
  try {
    lock.exec('CREATE TABLE IF NOT EXISTS process (only_one INTEGER PRIMARY KEY, what TEXT, pid INTEGER, host TEXT, since TEXT)');
    const values = [what, process.pid, hostname(), new Date().toISOString()];
    lock.prepare('INSERT OR REPLACE INTO process VALUES (1, ?, ?, ?, ?)').run(...values);
    lock.exec('COMMIT');
  } catch (error) {
    log.warn({ reason: errorMessage(error) }, 'storing the holder of the database lock failed');
    if (lock.inTransaction) lock.exec('ROLLBACK');
  }
}

const isNoDatabase = (error: unknown): boolean => /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code));

function holderIn(lock: Sqlite.Database): ServingProcess | null {
  try {
    return (lock.prepare('SELECT what, pid, host, since FROM process').get() as ServingProcess | undefined) ?? null;
  } catch {
    return null;
  }
}

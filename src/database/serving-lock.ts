import { hostname } from 'node:os';

import Sqlite from 'better-sqlite3';

import { errorMessage, loggerFor } from '../common/index.js';

import { DatabaseBusy, onceFree } from './sqlite-busy.js';

const log = loggerFor('database');

/** How long one that has to go is waited for, in milliseconds: a process that ends lets go within moments of its last answer. */
const PATIENCE_MS = 2_000;

/** Also where nobody keeps the way to let go: a handle that is forgotten is closed, and its lock with it. */
const held = new Set<Sqlite.Database>();

/** The process that has an SQLite file for itself. */
export interface ServingProcess {
  /** Such as `panel` or `svc restore`. */
  readonly what: string;
  readonly pid: number;
  /** Of the machine, or the container. */
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Another process has the SQLite file for itself. */
export class ServedAlready extends Error {
  constructor(
    readonly path: string,
    /** Null where it has not said yet who it is. */
    readonly holder: ServingProcess | null,
  ) {
    const who = holder
      ? `${holder.what}, process ${holder.pid} on ${holder.host} since ${holder.since.slice(0, 19).replace('T', ' ')} UTC`
      : 'another process';
    super(
      `${path} is in use by ${who}. SQLite is for one process: stop that one first (systemctl stop ` +
        `…${holder ? `, or kill ${holder.pid}` : ''}), or give this one a DATA_DIR of its own. ` +
        'Several processes work together on MySQL or MariaDB (DATABASE_URL).',
    );
    this.name = 'ServedAlready';
  }
}

/**
 * Has an SQLite file for this process until it lets go or ends, however it ends: the lock is an open transaction on a small file beside the
 * database, which the system releases with its process. Commands that work beside a panel do not ask for it.
 *
 * @param path of the database
 * @param what the process is, for whoever is refused
 * @returns lets go
 * @throws ServedAlready where another one has it, and keeps it for two seconds more; Error where the file of the lock is something else
 *
 * @example
 * ```ts
 * const letGo = await serveAlone('/srv/panel/panel.db', 'panel');
 * ```
 */
export async function serveAlone(path: string, what: string): Promise<() => void> {
  // Readers are let in meanwhile: they are told who has it.
  const lock = new Sqlite(`${path}.serving`, { timeout: 0 });
  try {
    const began = performance.now();
    const begin = (): unknown => lock.exec('BEGIN IMMEDIATE');
    await onceFree(begin, began, PATIENCE_MS);
    signIn(lock, what);
    // Whoever came in between has it.
    await onceFree(begin, began, 0);
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
          `${path}.serving cannot be read (${errorMessage(error)}). See that no panel runs on ${path}, remove it, and start again.`,
          { cause: error },
        )
      : error;
  }
}

/** Says who has it, and ends the transaction; on a full disk nobody can say so, and it holds all the same. */
function signIn(lock: Sqlite.Database, what: string): void {
  try {
    lock.exec('CREATE TABLE IF NOT EXISTS process (only_one INTEGER PRIMARY KEY, what TEXT, pid INTEGER, host TEXT, since TEXT)');
    const values = [what, process.pid, hostname(), new Date().toISOString()];
    lock.prepare('INSERT OR REPLACE INTO process VALUES (1, ?, ?, ?, ?)').run(...values);
    lock.exec('COMMIT');
  } catch (error) {
    log.warn({ reason: errorMessage(error) }, 'who has the database could not be written down beside it');
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

import { statfs } from 'node:fs/promises';
import path from 'node:path';

import { clip } from '../../text.js';
import { HostRefusal } from '../refusal.js';

/** Data directory of MariaDB on Debian. */
const DEFAULT_FOLDER = '/var/lib/mysql';
/** Bytes by which the server extends a table, plus a margin. */
const TO_GROW = 8 * 2 ** 20;
/** Bytes that an aborted server may have freed on exit, such as temporary tables. */
const GIVEN_BACK = 64 * 2 ** 20;

/** Message when nothing listens on the server's socket. */
export const NOT_RUNNING = 'MariaDB does not run on this server.';
/** Error for a full table, which can also be an in-memory table. */
const TABLE_FULL = /\b(?:ERROR|[Ee]rror:?) 1114\b/;
/** The server is down or exited during the statement: InnoDB aborts when it cannot write its buffers. */
const SERVER_GONE = /\b(?:ERROR|[Ee]rror:?) (?:2002|2006|2013)\b/;

/** Detects a full disk of MariaDB, which does not always report it or is no longer running. */
export class DatabaseDisk {
  private folder: string | null = null;

  /** Stores the data directory while the server runs. @param ask returns the value of a server variable */
  async learn(ask: (variable: '@@datadir') => Promise<string | undefined>): Promise<void> {
    this.folder ??= (await ask('@@datadir').catch(() => undefined)) || null;
  }

  /**
   * Returns the error `DISK_FULL` in place of one that a full disk may have caused, if the disk is full; otherwise the error itself.
   *
   * @param database concerned database; its tables may be on another disk
   */
  async explain(error: unknown, database?: string): Promise<unknown> {
    if (!(error instanceof HostRefusal) || !['DATABASE_SQL', 'PROGRAM'].includes(error.code)) return error;
    const isGone = error.message === NOT_RUNNING || SERVER_GONE.test(error.message);
    if (!isGone && !TABLE_FULL.test(error.message)) return error;
    const least = isGone ? GIVEN_BACK : TO_GROW;
    const folder = this.folder ?? DEFAULT_FOLDER;
    const free = await Promise.all([folder, ...(database === undefined ? [] : [path.join(folder, database)])].map(freeIn));
    return free.some((bytes) => bytes < least) ? new HostRefusal('DISK_FULL', clip(error.message, 400)) : error;
  }
}

/** Returns the free bytes; Infinity for a folder that cannot be checked. */
async function freeIn(folder: string): Promise<number> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  );
}

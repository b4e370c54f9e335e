import { statfs } from 'node:fs/promises';
import path from 'node:path';

import { clip } from '../../text.js';
import { HostRefusal } from '../refusal.js';

/** Where Debian's server keeps databases. */
const USUAL_FOLDER = '/var/lib/mysql';
/** Bytes by which the server lets a table grow, and some more. */
const TO_GROW = 8 * 2 ** 20;
/** Bytes that a server which ended itself may have given back with its end: temporary tables, for one. */
const GIVEN_BACK = 64 * 2 ** 20;

/** What is said where nothing listens at the socket of the server. */
export const NOT_RUNNING = 'MariaDB does not run on this server.';
/** A table could not grow, which those in memory may not either. */
const TABLE_FULL = /\b(?:ERROR|[Ee]rror:?) 1114\b/;
/** The server is not there, or went away in the middle: InnoDB ends itself where it cannot write what it has in memory. */
const SERVER_GONE = /\b(?:ERROR|[Ee]rror:?) (?:2002|2006|2013)\b/;

/** Whether there is room where MariaDB keeps databases: one without any does not always say so, or cannot any more. */
export class DatabaseRoom {
  private folder: string | null = null;

  /** Notes where the server keeps databases, while it says so. @param ask the value of a variable of the server */
  async learn(ask: (variable: '@@datadir') => Promise<string | undefined>): Promise<void> {
    this.folder ??= (await ask('@@datadir').catch(() => undefined)) || null;
  }

  /**
   * What a failure means, of which its program says what the server said: that the disk is full where it may be of that and is.
   *
   * @param database whose tables it was about; they may lie elsewhere
   */
  async explained(error: unknown, database?: string): Promise<unknown> {
    if (!(error instanceof HostRefusal) || !['DATABASE_SQL', 'PROGRAM'].includes(error.code)) return error;
    const isGone = error.message === NOT_RUNNING || SERVER_GONE.test(error.message);
    if (!isGone && !TABLE_FULL.test(error.message)) return error;
    const least = isGone ? GIVEN_BACK : TO_GROW;
    const folder = this.folder ?? USUAL_FOLDER;
    const free = await Promise.all([folder, ...(database === undefined ? [] : [path.join(folder, database)])].map(freeIn));
    return free.some((bytes) => bytes < least) ? new HostRefusal('DISK_FULL', clip(error.message, 400)) : error;
  }
}

/** Bytes that are free; what cannot be looked at is no reason. */
async function freeIn(folder: string): Promise<number> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  );
}

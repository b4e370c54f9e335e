import type { AppConfig } from '../../config/index.js';
import { type Database, isIdle, serveAlone, withStartUpLock } from '../../database/index.js';

import { CommandError } from './command.js';

const RUNNING = 'A panel uses this database. Stop every process of it first (systemctl stop …), then run this again.';

/** How long users that are about to go are waited for, in milliseconds: a server notices the end of a connection a moment after it. */
const PATIENCE_MS = 2_000;

/**
 * Sees to it that nobody else uses the database, before it is opened here.
 *
 * @throws CommandError where another process has the SQLite file open, or is connected to the database of the server,
 * as far as this account may see
 */
export async function requireIdle(config: AppConfig): Promise<void> {
  if (!(await isIdle(config, PATIENCE_MS))) throw new CommandError(RUNNING);
}

/**
 * Works on an open database while no panel starts on it: one that tries meanwhile waits, and says what it waits for. One that came in since
 * {@link requireIdle} had a look at an SQLite file is noticed.
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

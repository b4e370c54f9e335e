import type { AppConfig } from '../../config/index.js';
import { type Database, isIdle, serveAlone, withStartUpLock } from '../../database/index.js';

import { CommandError } from './command.js';

const RUNNING = 'This database is in use by a running panel. Stop all its processes first (systemctl stop …), then run this command again.';

/** How long to wait for users about to disconnect, in milliseconds: a server notices a closed connection with a delay. */
const DISCONNECT_TIMEOUT_MS = 2_000;

/**
 * Requires that no other process uses the database, before it is opened here.
 *
 * @throws CommandError if another process has the SQLite file open, or is connected to the server's database, as far as this account can
 *   see
 */
export async function requireIdle(config: AppConfig): Promise<void> {
  if (!(await isIdle(config, DISCONNECT_TIMEOUT_MS))) throw new CommandError(RUNNING);
}

/**
 * Runs work on an open database while panels are kept from starting: one that tries waits and logs the reason. Detects a panel that opened
 * an SQLite file since {@link requireIdle}.
 *
 * @param what name of the command, shown to other processes
 * @throws ServedAlready if a panel uses the database
 *
 * @example
 * ```ts
 * await requireIdle(config);
 * await withDatabase(config, (database) => withoutPanels(database, 'svc import', () => takeOver(database)));
 * ```
 */
export function withoutPanels<Result>(database: Database, what: string, work: () => Promise<Result>): Promise<Result> {
  return withStartUpLock(database, async () => {
    const release = database.engine === 'sqlite' ? await serveAlone(String(database.dataSource.options.database), what) : () => undefined;
    try {
      return await work();
    } finally {
      release();
    }
  });
}

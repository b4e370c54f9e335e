import { setTimeout as pause } from 'node:timers/promises';

import { AppError, type ErrorShape } from '../common/index.js';

/** How long a statement waits for the lock of another process, in milliseconds. */
export const BUSY_TOTAL_MS = 10_000;
/** Pauses between two tries, in milliseconds: short at first, because most locks last for one statement. */
const PAUSES = [1, 2, 5, 10, 25];
/** When to try again, in seconds. */
const RETRY_SECONDS = 5;

/** Another program keeps the database locked; nothing was changed. */
export class DatabaseBusy extends AppError<'DATABASE_BUSY'> {
  constructor(options?: ErrorOptions) {
    super('DATABASE_BUSY', { seconds: RETRY_SECONDS }, undefined, options);
  }

  get shape(): ErrorShape {
    return { err: 'E_BUSY', text: 'common.database_busy', status: 503 };
  }
}

/** Whether SQLite says that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const { code } = ((error as { driverError?: unknown })?.driverError ?? error ?? {}) as { code?: unknown };
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

/**
 * Runs a statement again and again while another process keeps it off, and lets everything else of this process go on meanwhile.
 * SQLite's own waiting (`busy_timeout`) is a sleep of the thread that asks, here the event loop: nobody is served until it ends.
 *
 * @param since when it was first asked for, in milliseconds of `performance.now()`: who has waited behind others does not wait as long again
 * @throws DatabaseBusy when the lock outlasts `totalMs`; what `work` throws for any other reason
 */
export async function onceFree<T>(work: () => T, since: number, totalMs = BUSY_TOTAL_MS): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - since >= totalMs) throw new DatabaseBusy({ cause: error });
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  }
}

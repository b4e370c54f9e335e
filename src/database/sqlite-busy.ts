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

/** The disk of the database holds no more; nothing was changed. */
export class DatabaseFull extends AppError<'DATABASE_FULL'> {
  constructor(options?: ErrorOptions) {
    super('DATABASE_FULL', {}, undefined, options);
  }

  get shape(): ErrorShape {
    return { err: 'E_INTERNAL', text: 'common.database_full', status: 503 };
  }
}

/** What an error of SQLite means to people, where it means something. */
export function meaningOf(error: unknown): unknown {
  return codeOf(error) === 'SQLITE_FULL' ? new DatabaseFull({ cause: error }) : error;
}

/** Whether SQLite says that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

function codeOf(error: unknown): unknown {
  return (((error as { driverError?: unknown })?.driverError ?? error ?? {}) as { code?: unknown }).code;
}

/**
 * Runs a statement again and again while another process keeps it off, and lets everything else of this process go on meanwhile.
 * SQLite's own waiting (`busy_timeout`) is a sleep of the thread that asks, here the event loop: nobody is served until it ends.
 *
 * @param since when it was first asked for, in milliseconds of `performance.now()`: who has waited behind
 * others does not wait as long again
 * @throws DatabaseBusy when the lock outlasts `totalMs`; DatabaseFull; what `work` throws for any other reason
 */
export async function onceFree<T>(work: () => T, since: number, totalMs = BUSY_TOTAL_MS): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw meaningOf(error);
      if (performance.now() - since >= totalMs) throw new DatabaseBusy({ cause: error });
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises';

import { AppError, type ErrorShape } from '../common/index.js';

/** How long a statement waits for another process's lock, in milliseconds. */
export const BUSY_TOTAL_MS = 10_000;
/** Pauses between attempts, in milliseconds: short at first, because most locks last for one statement. */
const PAUSES = [1, 2, 5, 10, 25];
/** Suggested wait before a retry, in seconds. */
const RETRY_SECONDS = 5;

/** Another process keeps the database locked; nothing was changed. */
export class DatabaseBusy extends AppError<'DATABASE_BUSY'> {
  constructor(options?: ErrorOptions) {
    super('DATABASE_BUSY', { seconds: RETRY_SECONDS }, undefined, options);
  }

  get shape(): ErrorShape {
    return { err: 'E_BUSY', text: 'common.database_busy', status: 503 };
  }
}

/** The disk of the database is full; nothing was changed. */
export class DatabaseFull extends AppError<'DATABASE_FULL'> {
  constructor(options?: ErrorOptions) {
    super('DATABASE_FULL', {}, undefined, options);
  }

  get shape(): ErrorShape {
    return { err: 'E_INTERNAL', text: 'common.database_full', status: 503 };
  }
}

/** Converts an SQLite error to a user-facing one, if there is an equivalent. */
export function toAppError(error: unknown): unknown {
  return codeOf(error) === 'SQLITE_FULL' ? new DatabaseFull({ cause: error }) : error;
}

/** Whether SQLite reports that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

function codeOf(error: unknown): unknown {
  return (((error as { driverError?: unknown })?.driverError ?? error ?? {}) as { code?: unknown }).code;
}

/**
 * Retries a statement while another process holds a lock, without blocking this process. SQLite's own `busy_timeout` would block the
 * calling thread, here the event loop.
 *
 * @param since first attempt, by `performance.now()`: time spent waiting for others counts
 * @throws DatabaseBusy if the lock outlasts `totalMs`; DatabaseFull; other errors of `work`
 */
export async function retryWhileBusy<T>(work: () => T, since: number, totalMs = BUSY_TOTAL_MS): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw toAppError(error);
      if (performance.now() - since >= totalMs) throw new DatabaseBusy({ cause: error });
      await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
    }
  }
}

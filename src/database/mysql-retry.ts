/** MySQL errors after which the same work may simply be tried again: deadlock, lock wait, changed snapshot. */
const RETRYABLE_ERRORS = new Set([1213, 1205, 1020]);

/** How often work is tried that fails in such a way. */
export const MAX_ATTEMPTS = 5;

/** Whether the engine undid the work for the sake of somebody else's, so that it may be tried again. */
export function isRetryable(error: unknown): boolean {
  const source = (error as { driverError?: unknown })?.driverError ?? error;
  return RETRYABLE_ERRORS.has((source as { errno?: number })?.errno ?? 0);
}

/** Runs one statement that is a transaction of its own; a deadlock, of which the engine undid all of it, only means once more. */
export async function retried<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await statement();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}

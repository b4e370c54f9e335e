/** MySQL errors after which the same work can be retried: deadlock, lock wait timeout, changed snapshot. */
const RETRYABLE_ERRORS = new Set([1213, 1205, 1020]);

/** Maximum attempts for retryable errors. */
export const MAX_ATTEMPTS = 5;

/** Whether the engine rolled back the work because of a conflict, so that it can be retried. */
export function isRetryable(error: unknown): boolean {
  const source = (error as { driverError?: unknown })?.driverError ?? error;
  return RETRYABLE_ERRORS.has((source as { errno?: number })?.errno ?? 0);
}

/** Runs a single statement; retries after a deadlock, which rolled it back completely. */
export async function retried<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await statement();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}

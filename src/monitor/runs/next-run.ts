import type { MonitorTask } from '../entities/index.js';

/**
 * Returns the next due time. Regular runs keep their phase even after a delay, so that monitors stay evenly spread; a failing monitor uses
 * its retry interval instead.
 */
export function nextRun({ nextRunAt, intervalSeconds, retrySeconds }: MonitorTask, ok: boolean, now: Date): Date {
  if (!ok && retrySeconds > 0) return new Date(now.getTime() + retrySeconds * 1_000);
  const interval = intervalSeconds * 1_000;
  const late = now.getTime() - (nextRunAt ?? now).getTime();
  return new Date(now.getTime() + interval - (late > 0 ? late % interval : 0));
}

/** Returns a random first run within the interval, so that monitors created together do not run together. */
export const firstRun = (intervalSeconds: number, now: Date): Date =>
  new Date(now.getTime() + Math.round(Math.random() * intervalSeconds * 1_000));

import type { MonitorTask } from '../entities/index.js';

/**
 * When a monitor is due next. Its times keep their distance from each other however late one was, so that monitors stay as spread as they
 * were; while it fails it is looked at after its retry interval instead.
 */
export function nextRun({ nextRunAt, intervalSeconds, retrySeconds }: MonitorTask, ok: boolean, now: Date): Date {
  if (!ok && retrySeconds > 0) return new Date(now.getTime() + retrySeconds * 1_000);
  const interval = intervalSeconds * 1_000;
  const late = now.getTime() - (nextRunAt ?? now).getTime();
  return new Date(now.getTime() + interval - (late > 0 ? late % interval : 0));
}

/** The first time of a new monitor: some time within its interval, so that many that are made at once do not run at once. */
export const firstRun = (intervalSeconds: number, now: Date): Date =>
  new Date(now.getTime() + Math.round(Math.random() * intervalSeconds * 1_000));

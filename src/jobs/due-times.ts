import { DAY_MS, MINUTE_MS, legacyDay, legacyTime, startOfDay } from '../common/index.js';

import type { ScheduledJob } from './scheduled-job.js';

/**
 * Returns the latest due time of a job up to `now`; null if there is none that still counts.
 *
 * @param zone time zone of daily times
 */
export function lastDue(job: ScheduledJob, now: Date, zone: string): Date | null {
  if ('cron' in job) return job.cron.matches(now, zone) ? new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS) : null;
  if (!('dailyAt' in job)) {
    const period = job.everyMinutes * MINUTE_MS;
    return new Date(Math.floor(now.getTime() / period) * period);
  }
  const due = dailyTime(now, job.dailyAt, zone);
  return due > now ? null : due;
}

/** Returns the next due time of a job after `now`. */
export function nextDue(job: ScheduledJob, now: Date, zone: string): Date {
  if ('cron' in job) return job.cron.next(now, zone);
  if (!('dailyAt' in job)) {
    const period = job.everyMinutes * MINUTE_MS;
    return new Date((Math.floor(now.getTime() / period) + 1) * period);
  }
  const today = dailyTime(now, job.dailyAt, zone);
  return today > now ? today : dailyTime(new Date(startOfDay(now, zone).getTime() + 1.5 * DAY_MS), job.dailyAt, zone);
}

/** Returns the moment of `time` on the day of `moment`; for a time skipped by daylight saving, the first moment after it. */
function dailyTime(moment: Date, time: string, zone: string): Date {
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  const begin = startOfDay(moment, zone);
  const wanted = Date.parse(`${legacyDay(moment, zone)}T${time}:00Z`);
  const guess = new Date(begin.getTime() + (hours * 60 + minutes) * MINUTE_MS);
  // Corrects for a daylight saving change since midnight.
  const exact = new Date(guess.getTime() + wanted - shownAt(guess, zone));
  return shownAt(exact, zone) === wanted ? exact : guess;
}

const shownAt = (moment: Date, zone: string): number => Date.parse(`${legacyTime(moment, zone).replace(' ', 'T')}Z`);

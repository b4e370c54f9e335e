import { DAY_MS, HOUR_MS, type Clock, legacyTime } from '../../common/index.js';
import type { StatisticUnit } from '../entities/index.js';

/** Ranges of the statistics. */
export const RANGES = ['24h', 'today', 'yesterday', '7d', '30d', '1y'] as const;
export type Range = (typeof RANGES)[number];

/** The times of a range, oldest first, in the format of the rows. */
export interface RangeTimes {
  readonly unit: StatisticUnit;
  readonly times: readonly string[];
}

/** Returns the current times of a range, in the time zone of the installation. */
export function timesOf(range: Range, clock: Clock, zone: string): RangeTimes {
  const now = clock.now().getTime();
  const today = legacyTime(new Date(now), zone).slice(0, 10);
  const hours = (day: string) => Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}`);
  const lastDays = (count: number) => Array.from({ length: count }, (_, index) => dayBefore(today, count - 1 - index));
  switch (range) {
    case '24h': {
      const last = Array.from({ length: 24 }, (_, index) => legacyTime(new Date(now - (23 - index) * HOUR_MS), zone));
      return { unit: 'h', times: [...new Set(last.map((time) => time.replace(' ', 'T').slice(0, 13)))] };
    }
    case 'today':
      return { unit: 'h', times: hours(today) };
    case 'yesterday':
      return { unit: 'h', times: hours(dayBefore(today, 1)) };
    case '7d':
      return { unit: 'd', times: lastDays(7) };
    case '30d':
      return { unit: 'd', times: lastDays(30) };
    case '1y':
      return { unit: 'm', times: Array.from({ length: 12 }, (_, index) => monthBefore(today, 11 - index)) };
  }
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}

function monthBefore(day: string, months: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() - months);
  return at.toISOString().slice(0, 7);
}

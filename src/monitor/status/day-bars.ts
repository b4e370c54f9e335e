import type { StatUnit } from '../entities/index.js';
import { UNIT_MS, beginOf } from '../stats/index.js';

/** Number of days shown on a status page. */
export const SHOWN_DAYS = 90;

/** Aggregated checks of a monitor. */
export interface CheckSum {
  readonly at: Date;
  readonly checks: number;
  readonly oks: number;
}

/** A day on a status page: its uptime in percent with two decimals; null without checks. */
export interface DayBar {
  readonly day: string;
  readonly percent: number | null;
  readonly level: 'good' | 'some' | 'bad' | 'none';
}

/** Percent from which a day is good, and below which it is bad. */
const GOOD = 99.9;
const BAD = 95;

/** Returns the start of the first shown day. */
export const firstDay = (now: Date): Date => new Date(beginOf('d', now).getTime() - (SHOWN_DAYS - 1) * UNIT_MS.d);

/**
 * Returns the last days, today last, and their total uptime.
 *
 * @param sums by day; by hour, used for days not aggregated yet (today, and yesterday for some minutes); and by minute, used for hours not
 * aggregated yet
 */
export function dayBars(
  sums: Record<'days' | 'hours' | 'minutes', readonly CheckSum[]>,
  now: Date,
): { bars: DayBar[]; percent: number | null } {
  const hours = [...sums.hours, ...notIn(sums.hours, 'h', sums.minutes)];
  const byDay = new Map<number, { checks: number; oks: number }>();
  for (const { at, checks, oks } of [...sums.days, ...notIn(sums.days, 'd', hours)]) {
    const day = beginOf('d', at).getTime();
    const sum = byDay.get(day) ?? { checks: 0, oks: 0 };
    byDay.set(day, { checks: sum.checks + checks, oks: sum.oks + oks });
  }
  const from = firstDay(now).getTime();
  const bars = Array.from({ length: SHOWN_DAYS }, (_, at) => barOf(new Date(from + at * UNIT_MS.d), byDay.get(from + at * UNIT_MS.d)));
  const shown = [...byDay].filter(([at]) => at >= from).map(([, sum]) => sum);
  const total = { checks: sumOf(shown, 'checks'), oks: sumOf(shown, 'oks') };
  return { bars, percent: percentOf(total) };
}

/** Returns the finer sums whose period has no coarser sum yet. */
function notIn(whole: readonly CheckSum[], unit: StatUnit, finer: readonly CheckSum[]): CheckSum[] {
  const begun = new Set(whole.map(({ at }) => at.getTime()));
  return finer.filter(({ at }) => !begun.has(beginOf(unit, at).getTime()));
}

function barOf(at: Date, sum: { checks: number; oks: number } = { checks: 0, oks: 0 }): DayBar {
  const percent = percentOf(sum);
  const level = percent === null ? 'none' : percent >= GOOD ? 'good' : percent >= BAD ? 'some' : 'bad';
  return { day: at.toISOString().slice(0, 10), percent, level };
}

const percentOf = ({ checks, oks }: { checks: number; oks: number }): number | null =>
  checks > 0 ? Math.floor((oks / checks) * 10_000) / 100 : null;

const sumOf = (sums: readonly { checks: number; oks: number }[], field: 'checks' | 'oks'): number =>
  sums.reduce((total, sum) => total + sum[field], 0);

import { legacyTime } from '../common/index.js';

/** Least and most of each field: minute, hour, day, month, weekday. */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const DAY = 86_400_000;
/** Every date comes within eight years: 29 February leaves one out in 2100. */
const MOST_DAYS = 8 * 366;

/**
 * The times of a cron expression: five fields of numbers, lists, ranges, steps and `*`; Sunday is 0 and 7. Where both day and weekday are
 * given one of them is enough. Source: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/crontab.html
 */
export class CronExpression {
  private readonly fields: readonly ReadonlySet<number>[];
  private readonly eitherDay: boolean;

  /** @throws Error for a text that is none, or whose time never comes */
  constructor(readonly text: string) {
    const parts = text.trim().split(/\s+/);
    if (parts.length !== RANGES.length) throw new Error(`"${text}" is no cron expression: it needs five fields, such as 30 3 * * *.`);
    this.fields = RANGES.map(([least, most], i) => valuesOf(parts[i]!, least, most, text));
    const weekdays = this.fields[4] as Set<number>;
    if (weekdays.has(7)) weekdays.add(0);
    this.eitherDay = !parts[2]!.startsWith('*') && !parts[4]!.startsWith('*');
    if (this.nextDay(new Date(Date.UTC(2024, 0, 1))) === null) throw new Error(`"${text}" is a time that never comes.`);
  }

  /** Whether clocks in a zone show such a time in the minute `moment` is in. */
  matches(moment: Date, zone: string): boolean {
    const shown = shownAt(moment, zone);
    return this.isDay(shown) && this.fields[1]!.has(shown.getUTCHours()) && this.fields[0]!.has(shown.getUTCMinutes());
  }

  /** The first minute after `moment` in which clocks in a zone show such a time. */
  next(moment: Date, zone: string): Date {
    const end = moment.getTime() + MOST_DAYS * DAY;
    let minute = (Math.floor(moment.getTime() / 60_000) + 1) * 60_000;
    while (minute < end) {
      const shown = shownAt(new Date(minute), zone);
      const isHour = this.isDay(shown) && this.fields[1]!.has(shown.getUTCHours());
      if (isHour && this.fields[0]!.has(shown.getUTCMinutes())) break;
      // The rest of an hour in which there is none is left at once.
      minute += (isHour ? 1 : 60 - shown.getUTCMinutes()) * 60_000;
    }
    return new Date(minute);
  }

  private nextDay(from: Date): Date | null {
    for (let day = 0; day < MOST_DAYS; day += 1) {
      const date = new Date(from.getTime() + day * DAY);
      if (this.isDay(date)) return date;
    }
    return null;
  }

  /** @param shown what clocks show, as if it were UTC */
  private isDay(shown: Date): boolean {
    if (!this.fields[3]!.has(shown.getUTCMonth() + 1)) return false;
    const byDate = this.fields[2]!.has(shown.getUTCDate());
    const byWeekday = this.fields[4]!.has(shown.getUTCDay());
    return this.eitherDay ? byDate || byWeekday : byDate && byWeekday;
  }
}

function valuesOf(field: string, least: number, most: number, text: string): ReadonlySet<number> {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const found = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    const [, first, last, every] = found ?? [];
    const from = first === undefined ? least : Number(first);
    // `5/10` is from 5 on, every ten.
    const to = last !== undefined ? Number(last) : first === undefined || every !== undefined ? most : from;
    const step = Number(every ?? 1);
    if (!found || from < least || to > most || from > to || step < 1)
      throw new Error(`"${text}" is no cron expression: "${part}" is not within ${least}-${most}.`);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
}

const shownAt = (moment: Date, zone: string): Date => new Date(`${legacyTime(moment, zone).replace(' ', 'T')}Z`);

import { DAY_MS, legacyTime, readCron } from '../common/index.js';

/** Every date occurs within eight years: 29 February is skipped in 2100. */
const MAX_DAYS = 8 * 366;

/**
 * A cron expression: five fields of numbers, lists, ranges, steps and `*`; Sunday is 0 and 7. If both day and weekday are given, one of
 * them suffices. Source: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/crontab.html
 */
export class CronExpression {
  private readonly fields: readonly ReadonlySet<number>[];
  private readonly eitherDay: boolean;

  /** @throws Error for an invalid expression, or one that never matches */
  constructor(readonly text: string) {
    this.fields = readCron(text);
    const [, , day, , weekday] = text.trim().split(/\s+/);
    this.eitherDay = !day!.startsWith('*') && !weekday!.startsWith('*');
    if (this.nextDay(new Date(Date.UTC(2024, 0, 1))) === null) throw new Error(`"${text}" never matches a time.`);
  }

  /** Whether the minute of `moment` matches, in the time zone `zone`. */
  matches(moment: Date, zone: string): boolean {
    const shown = shownAt(moment, zone);
    return this.isDay(shown) && this.fields[1]!.has(shown.getUTCHours()) && this.fields[0]!.has(shown.getUTCMinutes());
  }

  /** Returns the first matching minute after `moment`, in the time zone `zone`. */
  next(moment: Date, zone: string): Date {
    const end = moment.getTime() + MAX_DAYS * DAY_MS;
    let minute = (Math.floor(moment.getTime() / 60_000) + 1) * 60_000;
    while (minute < end) {
      const shown = shownAt(new Date(minute), zone);
      const isHour = this.isDay(shown) && this.fields[1]!.has(shown.getUTCHours());
      if (isHour && this.fields[0]!.has(shown.getUTCMinutes())) break;
      // Skips the rest of an hour that does not match.
      minute += (isHour ? 1 : 60 - shown.getUTCMinutes()) * 60_000;
    }
    return new Date(minute);
  }

  private nextDay(from: Date): Date | null {
    for (let day = 0; day < MAX_DAYS; day += 1) {
      const date = new Date(from.getTime() + day * DAY_MS);
      if (this.isDay(date)) return date;
    }
    return null;
  }

  /** @param shown local time, represented as if it were UTC */
  private isDay(shown: Date): boolean {
    if (!this.fields[3]!.has(shown.getUTCMonth() + 1)) return false;
    const byDate = this.fields[2]!.has(shown.getUTCDate());
    const byWeekday = this.fields[4]!.has(shown.getUTCDay());
    return this.eitherDay ? byDate || byWeekday : byDate && byWeekday;
  }
}

const shownAt = (moment: Date, zone: string): Date => new Date(`${legacyTime(moment, zone).replace(' ', 'T')}Z`);

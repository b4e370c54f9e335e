import { MINUTE_MS } from './durations.js';
import type { Locale } from './i18n.js';
import { legacyTime, offsetOf, readLegacyTime } from './legacy-time.js';

/** Date and time, or the date alone. */
export type TimeStyle = 'datetime' | 'date';

/** A day without a time, such as an expiry date: the same day in every zone. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const BEGINS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Cache of formatted days, by language and day: lists repeat the same days, and the formatter takes 3 µs for each. */
const days = new Map<string, string>();
const MAX_CACHED_DAYS = 2_000;

/** Returns whether a value has the form of a day without a time, such as `2026-11-22`; the day need not exist. */
export function isDayAlone(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value);
}

/**
 * Returns the time that a value denotes: Unix time in milliseconds, an ISO 8601 time, or a time of the panel's fields, which are in
 * `zone`; undefined for anything else.
 *
 * @param zone IANA name, such as `Asia/Shanghai`
 * @example
 * ```ts
 * momentOf('2026-11-22 00:05:09', 'Asia/Shanghai'); // 2026-11-21T16:05:09Z
 * ```
 */
export function momentOf(value: unknown, zone: string): Date | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // Browsers' date parsers read "Plan 2" as a day of 2001.
  if (typeof value === 'string' && !BEGINS_WITH_DAY.test(value)) return undefined;
  const moment = (typeof value === 'string' ? readLegacyTime(value, zone) : undefined) ?? new Date(value);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/**
 * Formats a time for a language, in `zone`; a day without a time is the same day everywhere.
 *
 * @returns empty if {@link momentOf} cannot parse the value
 * @example
 * ```ts
 * shownTime('2026-11-21T16:05:09Z', 'en', 'Asia/Shanghai'); // "Nov 22, 2026, 12:05 AM"
 * ```
 */
export function shownTime(value: unknown, locale: Locale, zone: string, style: TimeStyle = 'datetime'): string {
  if (isDayAlone(value)) return shownDay(value, locale);
  const moment = momentOf(value, zone);
  return moment ? formatOf(locale, zone, style).format(moment) : '';
}

function shownDay(day: string, locale: Locale): string {
  const key = `${locale} ${day}`;
  const known = days.get(key);
  if (known !== undefined) return known;
  const moment = momentOf(day, 'UTC');
  const shown = moment ? formatOf(locale, 'UTC', 'date').format(moment) : '';
  if (days.size >= MAX_CACHED_DAYS) days.clear();
  days.set(key, shown);
  return shown;
}

function formatOf(locale: Locale, timeZone: string, style: TimeStyle): Intl.DateTimeFormat {
  const key = `${locale} ${style} ${timeZone}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', ...(style === 'datetime' ? { timeStyle: 'short' } : {}) });
    formats.set(key, format);
  }
  return format;
}

/**
 * Returns the ISO 8601 form of a time, for programs; a day without a time stays that day.
 *
 * @returns empty if {@link momentOf} cannot parse the value
 */
export function instantOf(value: unknown, zone: string): string {
  if (isDayAlone(value)) return momentOf(value, 'UTC') ? value : '';
  return momentOf(value, zone)?.toISOString() ?? '';
}

/**
 * Formats a time within a sentence whose reader may be in any zone, as in a mail, notice or banner: to the minute, in `zone`,
 * with the UTC offset.
 * @example
 * ```ts
 * timeInSentence(new Date('2026-11-21T16:05:09Z'), 'Asia/Shanghai'); // "2026-11-22 00:05 UTC+8"
 * timeInSentence(new Date('2026-11-21T16:05:09Z'), 'America/St_Johns'); // "2026-11-21 12:35 UTC-3:30"
 * ```
 */
export function timeInSentence(moment: Date, zone: string): string {
  const ahead = Math.round(offsetOf(moment, zone) / MINUTE_MS);
  const hours = Math.floor(Math.abs(ahead) / 60);
  const rest = Math.abs(ahead) % 60;
  const offset = ahead === 0 ? '' : `${ahead < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
  return `${legacyTime(moment, zone).slice(0, 16)} UTC${offset}`;
}

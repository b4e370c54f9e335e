import { HOUR_MS } from './durations.js';

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter costs a hundred times as much as using one, and a process has one time zone. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** From this time on, UTC offsets change only on quarter hours of UTC, so one offset holds for each quarter. Source: the tz database. */
const QUARTERS_SINCE = Date.UTC(2000, 0, 1);
const QUARTERS_UNTIL = Date.UTC(9999, 11, 31);
const QUARTER_MS = 900_000;

/** Values shared by all times of a quarter hour. */
interface Quarter {
  /** Offset from UTC, in milliseconds. */
  readonly offset: number;
  /** Local time up to the hour: `2026-11-22 00:`. */
  readonly hour: string;
}

/** Maximum cached quarters per zone. Formatting a time costs fifty times as much as finding its quarter, and lists contain many times. */
const MAX_QUARTERS = 10_000;
const quarters = new Map<string, Map<number, Quarter>>();
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

/**
 * Formats a time like the panel's legacy fields: `Y-m-d H:i:s` in `zone`.
 *
 * @param moment from 1600 on: earlier dates are shown in the Julian calendar
 * @param zone IANA name, such as `Asia/Shanghai`
 * @throws RangeError for an unknown zone or an invalid date
 * @example
 * ```ts
 * legacyTime(new Date('2026-11-21T16:05:09Z'), 'Asia/Shanghai'); // "2026-11-22 00:05:09"
 * ```
 */
export function legacyTime(moment: Date, zone: string): string {
  const time = moment.getTime();
  if (!keepsOffsets(time)) return formatted(moment, zone);
  const { offset, hour } = quarterOf(time, zone);
  const second = Math.floor((time + offset) / 1_000);
  return `${hour}${TWO_DIGITS[Math.floor(second / 60) % 60]}:${TWO_DIGITS[second % 60]}`;
}

function formatted(moment: Date, zone: string): string {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(moment)) part[type] = value;
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`;
}

const keepsOffsets = (time: number): boolean => time >= QUARTERS_SINCE && time < QUARTERS_UNTIL;

function quarterOf(time: number, zone: string): Quarter {
  let ofZone = quarters.get(zone);
  if (!ofZone) quarters.set(zone, (ofZone = new Map<number, Quarter>()));
  const number = Math.floor(time / QUARTER_MS);
  let quarter = ofZone.get(number);
  if (!quarter) {
    const offset = readOffset(new Date(number * QUARTER_MS), zone);
    const there = new Date(number * QUARTER_MS + offset).toISOString();
    quarter = { offset, hour: `${there.slice(0, 10)} ${there.slice(11, 14)}` };
    if (ofZone.size >= MAX_QUARTERS) ofZone.clear();
    ofZone.set(number, quarter);
  }
  return quarter;
}

/**
 * Parses a time of {@link legacyTime}, with or without seconds, also with a `T` in place of the blank. Returns undefined for an invalid
 * time and for one that was skipped by a clock change in `zone`.
 * @example
 * ```ts
 * readLegacyTime('2026-11-22 00:05:09', 'Asia/Shanghai'); // 2026-11-21T16:05:09Z
 * ```
 */
export function readLegacyTime(text: string, zone: string): Date | undefined {
  const [, day, minute, second = '00'] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::(\d\d))?$/.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const wanted = `${day} ${minute}:${second}`;
  const asUtc = Date.parse(`${day}T${minute}:${second}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offset = (at: number): number => Date.parse(`${legacyTime(new Date(at), zone).replace(' ', 'T')}Z`) - at;
  // The offset at that local time may differ from the one at the same UTC time.
  const near = asUtc - offset(asUtc);
  const found = new Date(asUtc - offset(near));
  return legacyTime(found, zone) === wanted ? found : undefined;
}

/** Returns the day of {@link legacyTime}: `YYYY-MM-DD` in `zone`. */
export function legacyDay(moment: Date, zone: string): string {
  return legacyTime(moment, zone).slice(0, 10);
}

/** Returns the start of the day that contains `moment` in `zone`; if a clock change skips midnight, the first time after it. */
export function startOfDay(moment: Date, zone: string): Date {
  const day = legacyDay(moment, zone);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let begin = midnight;
  // The offset depends on the result: the second round corrects the first if they differ.
  for (let round = 0; round < 2; round += 1) begin = midnight - offsetOf(new Date(begin), zone);
  return new Date(legacyDay(new Date(begin), zone) === day ? begin : begin + HOUR_MS);
}

/**
 * Returns the UTC offset of `zone`, in milliseconds.
 * @example
 * ```ts
 * offsetOf(new Date('2026-11-21T16:05:09Z'), 'Asia/Shanghai'); // 28800000
 * ```
 */
export function offsetOf(moment: Date, zone: string): number {
  const time = moment.getTime();
  return keepsOffsets(time) ? quarterOf(time, zone).offset : readOffset(moment, zone);
}

function readOffset(moment: Date, zone: string): number {
  return Date.parse(`${formatted(moment, zone).replace(' ', 'T')}Z`) - Math.floor(moment.getTime() / 1_000) * 1_000;
}

/** Values of legacy date fields that mean "forever"; a time of day may follow the zeros. */
const FOR_EVER = /^(?:0|0000[-/]0?0[-/]0?0(?:[ T]00:00(?::00)?)?)?$/;
const UNIX_SECONDS = /^\d{9,10}$/;
const WRITTEN = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Parses the last day in a legacy date field, in the formats that third-party programs send: `2027-01-05`, `2027-1-5`, `2027/1/5`,
 * optionally with a time (`2027-01-05 00:00:00`, `2027-01-05T00:00:00+08:00`), or Unix seconds in 9 to 10 digits. Milliseconds are
 * rejected: no known program sends them, and a date off by a factor of 1,000 indicates another error.
 *
 * @param zone zone in which a point in time is converted to a day; a time without an offset is already in `zone`
 * @returns `YYYY-MM-DD`, null for forever (`0`, empty, missing, `0000-00-00`), undefined for an invalid day
 * @example
 * ```ts
 * readLegacyDay('1799078400', 'Asia/Shanghai'); // "2027-01-05"
 * readLegacyDay('2027/1/5', 'Asia/Shanghai'); // "2027-01-05"
 * readLegacyDay('soon', 'Asia/Shanghai'); // undefined
 * ```
 */
export function readLegacyDay(text: string | undefined, zone: string): string | null | undefined {
  const value = (text ?? '').trim();
  if (FOR_EVER.test(value)) return null;
  if (UNIX_SECONDS.test(value)) return legacyDay(new Date(Number(value) * 1_000), zone);
  const parts = WRITTEN.exec(value);
  if (!parts) return undefined;
  const [, year, , month, dayOfMonth, hour, minute, second, offset] = parts;
  const day = `${year}-${month!.padStart(2, '0')}-${dayOfMonth!.padStart(2, '0')}`;
  if (!isDay(day) || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  if (offset === undefined) return day;
  // An offset without a time does not determine the day.
  if (hour === undefined) return undefined;
  const zoned = /^z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const moment = new Date(`${day}T${hour.padStart(2, '0')}:${minute}:${second ?? '00'}${zoned}`);
  if (Number.isNaN(moment.getTime())) return undefined;
  const there = legacyDay(moment, zone);
  return isDay(there) ? there : undefined;
}

/** Returns whether `text` is an existing day in the form `YYYY-MM-DD`, from year 1970 on. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1970') return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

import { Injectable } from '@nestjs/common';

import { DAY_MS, isDay, legacyDay, startOfDay } from '../common/index.js';
import { ZonedClock } from '../config/index.js';

import { PaymentError } from './errors.js';

const NOON_MS = DAY_MS / 2;
/** Default and maximum number of days of a range. */
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** A range of days in the panel's zone, both ends included. */
export interface Days {
  readonly first: string;
  readonly last: string;
  readonly since: Date;
  /** The moment after the last day (exclusive end). */
  readonly until: Date;
  /** The start of each day. */
  readonly starts: readonly Date[];
  /** Formatted for display. */
  readonly days: string;
}

/** Parses day ranges of requests. */
@Injectable()
export class DayRange {
  constructor(private readonly clock: ZonedClock) {}

  /**
   * @param from `YYYY-MM-DD`; empty: the 30 days up to the last one
   * @param to `YYYY-MM-DD`; empty: today
   * @throws PaymentError RANGE_MALFORMED for an invalid day, a last day before the first, and more than 366 days
   */
  read(from = '', to = ''): Days {
    if ((from !== '' && !isDay(from)) || (to !== '' && !isDay(to))) throw malformed();
    const last = to || this.clock.today();
    const first = from || new Date(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const span = Date.parse(last) - Date.parse(first);
    if (span < 0 || span >= MAX_DAYS * DAY_MS) throw malformed();
    const all = Array.from({ length: span / DAY_MS + 2 }, (_, at) =>
      this.startOf(new Date(Date.parse(first) + at * DAY_MS).toISOString().slice(0, 10)),
    );
    const [starts, until] = [all.slice(0, -1), all.at(-1)!];
    return { first, last, since: starts[0]!, until, starts, days: first === last ? first : `${first} – ${last}` };
  }

  /** Returns both ends of a range of days in the panel's zone: {@link daysOf}. */
  ends(days: { readonly from?: string; readonly to?: string }): { since?: Date; until?: Date } {
    return daysOf(days, this.clock.timezone);
  }

  /** Returns the start of a day in the panel's zone. */
  private startOf(day: string): Date {
    return startOfNamedDay(day, this.clock.timezone);
  }
}

/** Returns the start of the day `YYYY-MM-DD` in a zone. */
function startOfNamedDay(day: string, timezone: string): Date {
  // Noon UTC is on that day or an adjacent one in every zone.
  const noon = Date.parse(day) + NOON_MS;
  const near = [-1, 0, 1].map((off) => startOfDay(new Date(noon + off * DAY_MS), timezone));
  return near.find((start) => legacyDay(start, timezone) === day) ?? new Date(Date.parse(day));
}

/**
 * Returns both ends of a range of days; an end that is not given is missing.
 *
 * @throws PaymentError RANGE_MALFORMED for an invalid day
 */
export function daysOf({ from, to }: { readonly from?: string; readonly to?: string }, timezone: string): { since?: Date; until?: Date } {
  for (const day of [from, to]) if (day && !isDay(day)) throw malformed();
  const after = to && new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10);
  return { ...(from && { since: startOfNamedDay(from, timezone) }), ...(after && { until: startOfNamedDay(after, timezone) }) };
}

function malformed(): PaymentError {
  return new PaymentError('RANGE_MALFORMED', {}, { from: 'payment.field.range' });
}

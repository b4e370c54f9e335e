import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock, isDay, legacyDay, startOfDay } from '../common/index.js';
import { AppConfig } from '../config/index.js';

import { PaymentError } from './errors.js';

const NOON_MS = DAY_MS / 2;
/** Days of a range where no first one is given, and at most. */
const DEFAULT_DAYS = 30;
const MOST_DAYS = 366;

/** Some days in the zone of the panel, both ends included. */
export interface Days {
  readonly first: string;
  readonly last: string;
  readonly since: Date;
  /** The moment after the last day. */
  readonly until: Date;
  /** When each of them begins. */
  readonly starts: readonly Date[];
  /** For people. */
  readonly days: string;
}

/** Reads the days people ask for. */
@Injectable()
export class DayRange {
  constructor(
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param from `YYYY-MM-DD`; empty: 30 days, the last one included
   * @param to `YYYY-MM-DD`; empty: today
   * @throws PaymentError RANGE_MALFORMED for what is no day, a last day before the first, and more than 366 days
   */
  read(from = '', to = ''): Days {
    if ((from !== '' && !isDay(from)) || (to !== '' && !isDay(to))) throw malformed();
    const last = to || legacyDay(this.clock.now(), this.config.timezone);
    const first = from || new Date(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const span = Date.parse(last) - Date.parse(first);
    if (span < 0 || span >= MOST_DAYS * DAY_MS) throw malformed();
    const all = Array.from({ length: span / DAY_MS + 2 }, (_, at) =>
      this.startOf(new Date(Date.parse(first) + at * DAY_MS).toISOString().slice(0, 10)),
    );
    const [starts, until] = [all.slice(0, -1), all.at(-1)!];
    return { first, last, since: starts[0]!, until, starts, days: first === last ? first : `${first} – ${last}` };
  }

  /** Both ends of a list of days in the zone of the panel: {@link daysOf}. */
  ends(days: { readonly from?: string; readonly to?: string }): { since?: Date; until?: Date } {
    return daysOf(days, this.config.timezone);
  }

  /** When a day begins in the zone of the panel. */
  private startOf(day: string): Date {
    return startOfNamedDay(day, this.config.timezone);
  }
}

/** When the day `YYYY-MM-DD` begins in a zone. */
function startOfNamedDay(day: string, timezone: string): Date {
  // Noon of UTC is within the day or beside it, whatever the zone.
  const noon = Date.parse(day) + NOON_MS;
  const near = [-1, 0, 1].map((off) => startOfDay(new Date(noon + off * DAY_MS), timezone));
  return near.find((start) => legacyDay(start, timezone) === day) ?? new Date(Date.parse(day));
}

/**
 * Both ends of a list of days, each only where it is given.
 *
 * @throws PaymentError RANGE_MALFORMED for what is no day
 */
export function daysOf({ from, to }: { readonly from?: string; readonly to?: string }, timezone: string): { since?: Date; until?: Date } {
  for (const day of [from, to]) if (day && !isDay(day)) throw malformed();
  const after = to && new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10);
  return { ...(from && { since: startOfNamedDay(from, timezone) }), ...(after && { until: startOfNamedDay(after, timezone) }) };
}

function malformed(): PaymentError {
  return new PaymentError('RANGE_MALFORMED', {}, { from: 'payment.field.range' });
}

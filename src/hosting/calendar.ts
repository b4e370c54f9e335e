import { DAY_MS } from '../common/index.js';

/** Tells whether an account with this last day (null: none) has expired on `today`: it runs to the end of its last day. */
export function isExpired(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today;
}

/** Days of an account that say how long it is in service. */
export interface ServiceDays {
  /** Last day it was bought for; null: for ever. */
  readonly expiresOn: string | null;
  /** Days it goes on after that. */
  readonly graceDays: number;
  /** Last day on which no job pauses it; null: none. */
  readonly holdUntil: string | null;
}

/** Tells whether an administrator's hold, its last day included, keeps jobs from pausing an account on `today`. */
export function isHeld({ holdUntil }: Pick<ServiceDays, 'holdUntil'>, today: string): boolean {
  return holdUntil !== null && holdUntil >= today;
}

/** The last day an account is in service: the last of its grace, or that of its hold where that is later; null: for ever. */
export function lastDayOf({ expiresOn, graceDays, holdUntil }: ServiceDays): string | null {
  if (expiresOn === null) return null;
  const last = graceDays > 0 ? dayAfter(expiresOn, graceDays) : expiresOn;
  return holdUntil !== null && holdUntil > last ? holdUntil : last;
}

/** The later of two days, each `YYYY-MM-DD`. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** Most days of grace: a renewal by a month always leads beyond them. */
export const MAX_GRACE_DAYS = 27;

/** Days that were computed, by the day and the number: lists ask for the same ones thousands of times. */
const computed = new Map<string, Map<number, string>>();
const MOST_COMPUTED = { days: 1_000, each: 50 };

/** The day `days` after another, both `YYYY-MM-DD`. */
export function dayAfter(day: string, days: number): string {
  let after = computed.get(day);
  if (!after) {
    if (computed.size >= MOST_COMPUTED.days) computed.clear();
    computed.set(day, (after = new Map()));
  }
  let found = after.get(days);
  if (found === undefined) {
    found = new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
    if (after.size < MOST_COMPUTED.each) after.set(days, found);
  }
  return found;
}

/** The same day `months` after another, or the last one of a shorter month; both `YYYY-MM-DD`. */
export function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const daysInMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, daysInMonth))).toISOString().slice(0, 10);
}

/**
 * The day a renewal by months counts from: the last day, as long as its grace lasts: what was used is paid for. `today` where that is over.
 */
export function renewedFrom({ expiresOn, graceDays }: { expiresOn: string; graceDays: number }, today: string): string {
  return dayAfter(expiresOn, graceDays) >= today ? expiresOn : today;
}

/** The last day of who renews by months; see {@link renewedFrom}. */
export function renewedByMonths({ expiresOn, graceDays }: { expiresOn: string; graceDays: number }, months: number, today: string): string {
  return monthsAfter(renewedFrom({ expiresOn, graceDays }, today), months);
}

/** Most days a renewal adds. */
export const MAX_RENEWAL_DAYS = 3_650;

/** The last day of who is renewed by days: they count from the last day on, from `today` where that is over. */
export function renewedDay(expiresOn: string, days: number, today: string): string {
  return dayAfter(expiresOn > today ? expiresOn : today, days);
}

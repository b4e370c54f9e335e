import { DAY_MS } from '../common/index.js';

/** Returns whether an account with this last day (null: none) has expired on `today`. The last day itself still counts as in service. */
export function isExpired(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today;
}

/** Dates that determine how long an account is in service. */
export interface ServiceDays {
  /** Last paid day; null: never expires. */
  readonly expiresOn: string | null;
  /** Days of grace after `expiresOn`. */
  readonly graceDays: number;
  /** Last day on which no job may pause the account; null: no hold. */
  readonly holdUntil: string | null;
}

/** Returns whether an administrator's hold, last day included, prevents jobs from pausing an account on `today`. */
export function isHeld({ holdUntil }: Pick<ServiceDays, 'holdUntil'>, today: string): boolean {
  return holdUntil !== null && holdUntil >= today;
}

/** Returns the last day an account is in service: the end of its grace, or of its hold if later; null: never expires. */
export function lastDayOf({ expiresOn, graceDays, holdUntil }: ServiceDays): string | null {
  if (expiresOn === null) return null;
  const last = graceDays > 0 ? dayAfter(expiresOn, graceDays) : expiresOn;
  return holdUntil !== null && holdUntil > last ? holdUntil : last;
}

/** Returns the later of two days, each `YYYY-MM-DD`. */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** Maximum days of grace. Shorter than any month, so that a renewal by one month always ends after the grace. */
export const MAX_GRACE_DAYS = 27;

/** Minimum days between announcing to its owner that a host will be paused or deleted, and doing it. */
export const NOTICE_DAYS = 3;

/** Cache of computed days, by start day and offset: lists request the same ones thousands of times. */
const computed = new Map<string, Map<number, string>>();
const MAX_COMPUTED = { days: 1_000, each: 50 };

/** Returns the day `days` after another, both `YYYY-MM-DD`. */
export function dayAfter(day: string, days: number): string {
  let after = computed.get(day);
  if (!after) {
    if (computed.size >= MAX_COMPUTED.days) computed.clear();
    computed.set(day, (after = new Map()));
  }
  let found = after.get(days);
  if (found === undefined) {
    found = new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
    if (after.size < MAX_COMPUTED.each) after.set(days, found);
  }
  return found;
}

/** Returns the same day `months` later, or the last day of a shorter month; both `YYYY-MM-DD`. */
export function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const daysInMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, daysInMonth))).toISOString().slice(0, 10);
}

/** Returns the day a renewal by months starts from: the last day while the grace lasts, since used grace is charged; otherwise `today`. */
export function renewedFrom({ expiresOn, graceDays }: { expiresOn: string; graceDays: number }, today: string): string {
  return dayAfter(expiresOn, graceDays) >= today ? expiresOn : today;
}

/** Returns the last day after a renewal by months; see {@link renewedFrom}. */
export function renewedByMonths({ expiresOn, graceDays }: { expiresOn: string; graceDays: number }, months: number, today: string): string {
  return monthsAfter(renewedFrom({ expiresOn, graceDays }, today), months);
}

/** Maximum days one renewal adds. */
export const MAX_RENEWAL_DAYS = 3_650;

/** Returns the last day after a renewal by days, which count from the current last day, or from `today` if that has passed. */
export function renewedDay(expiresOn: string, days: number, today: string): string {
  return dayAfter(expiresOn > today ? expiresOn : today, days);
}

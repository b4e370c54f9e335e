import { daysBetween } from '../common/index.js';
import { PAUSE_REASON } from './accounts/index.js';
import { dayAfter, isExpired, lastDayOf, laterOf, type ServiceDays } from './calendar.js';

/** Days between telling an owner that his host will be deleted and doing it, at least. */
export const TOLD_DAYS = 3;
/** Days a deletion waits for an order of the host that is not paid yet, at most. */
export const ORDER_DAYS = 3;
/** Pauses a host may have and be deleted for its expiry. What an administrator, a scan or a plugin paused is left to them. */
const DELETABLE: readonly string[] = [PAUSE_REASON.expiry, PAUSE_REASON.quota, PAUSE_REASON.idle, PAUSE_REASON.api];

/** Rules of the installation for hosts that expire. */
export interface ExpiryRules {
  /** Whole days before the last one on which owners are reminded, the most first. */
  readonly reminders: readonly number[];
  /** Days a host is kept once it was paused; 0: it is never deleted. */
  readonly keepDays: number;
}

/** Notices sent about a host's expiry; each holds for one last day. */
export interface ToldExpiry {
  readonly remindedFor: string | null;
  readonly remindedStep: number | null;
  readonly toldFor: string | null;
  readonly deletesOn: string | null;
}

/** The properties of a host that expiry depends on. */
export interface ExpiringHost extends ServiceDays {
  readonly state: string;
  readonly pauseReasons: readonly string[];
  /** Days it is kept, 0 for ever; null: as the rules say. */
  readonly keepDays: number | null;
  /** Day it was opened. */
  readonly openedOn: string;
  /** An administrator wants it kept. */
  readonly exempt: boolean;
  /** Whether its server keeps deleted sites. */
  readonly keeps: boolean;
  /** Day the newest order of it was paid that has its money still; null: none. */
  readonly paidOn: string | null;
  /** Somebody is about to pay an order of it. */
  readonly hasOpenOrder: boolean;
  readonly told: ToldExpiry;
}

/** Why a host whose time is over is not deleted. */
export type KeptFor = 'exempt' | 'paused' | 'no_bin' | 'paid' | 'order';

/** Next step of an expired host towards its deletion. */
export type DeletionStep =
  /** Nothing is to come: it is in service, or never deleted. */
  | { readonly step: 'none' }
  /** It is paused, and too early to say so again. */
  | { readonly step: 'wait'; readonly day: string }
  /** Its owner is to be told that it is deleted on `day`. */
  | { readonly step: 'tell'; readonly day: string }
  /** It would be deleted on `day`, and is kept. */
  | { readonly step: 'keep'; readonly day: string; readonly why: KeptFor }
  | { readonly step: 'delete'; readonly day: string };

/**
 * The reminder that is due on `today`, by its number of days; null: none, or he was given it. One that was missed
 * is made up for until the next.
 */
export function reminderDue(host: ExpiringHost, { reminders }: ExpiryRules, today: string): number | null {
  const { expiresOn, state, openedOn, told } = host;
  if (expiresOn === null || state !== 'active' || expiresOn < today) return null;
  const step = reminders.filter((days) => dayAfter(expiresOn, -days) <= today).at(-1);
  if (step === undefined || dayAfter(expiresOn, -step) < openedOn) return null;
  const given = told.remindedFor === expiresOn ? told.remindedStep : null;
  return given === null || given > step ? step : null;
}

/** Tells whether a host is to be paused on `today`: its time, with grace and hold, is over. */
export function isPauseDue(host: Pick<ExpiringHost, keyof ServiceDays | 'state' | 'pauseReasons'>, today: string): boolean {
  const { state, pauseReasons } = host;
  return (state === 'active' || state === 'paused') && !pauseReasons.includes(PAUSE_REASON.expiry) && isExpired(lastDayOf(host), today);
}

/** The first day on which the rules let a host be deleted; null: they never do. */
export function deletionDay(host: ServiceDays & Pick<ExpiringHost, 'keepDays'>, rules: Pick<ExpiryRules, 'keepDays'>): string | null {
  const keep = host.keepDays ?? rules.keepDays;
  const last = lastDayOf(host);
  return keep === 0 || last === null ? null : dayAfter(last, keep + 1);
}

/** The step due on `today` for a host whose time is over. */
export function deletionStep(host: ExpiringHost, rules: ExpiryRules, today: string): DeletionStep {
  const { expiresOn, state, pauseReasons, told } = host;
  const allowed = deletionDay(host, rules);
  if (allowed === null || expiresOn === null || state !== 'paused' || !pauseReasons.includes(PAUSE_REASON.expiry)) return { step: 'none' };
  if (!isExpired(lastDayOf(host), today)) return { step: 'none' };
  const isTold = told.toldFor === expiresOn && told.deletesOn !== null;
  const day = isTold ? laterOf(told.deletesOn!, allowed) : laterOf(allowed, dayAfter(today, TOLD_DAYS));
  const why = keptFor(host, expiresOn);
  if (why) return { step: 'keep', day: isTold ? day : allowed, why };
  if (!isTold) return today < dayAfter(allowed, -TOLD_DAYS) ? { step: 'wait', day: allowed } : { step: 'tell', day };
  if (today < day) return { step: 'wait', day };
  if (host.hasOpenOrder && today < dayAfter(day, ORDER_DAYS)) return { step: 'keep', day, why: 'order' };
  return { step: 'delete', day };
}

function keptFor({ exempt, pauseReasons, keeps, paidOn }: ExpiringHost, expiresOn: string): KeptFor | null {
  if (exempt) return 'exempt';
  if (pauseReasons.some((reason) => !DELETABLE.includes(reason))) return 'paused';
  // Paid since, and over still: something went wrong that a person has to look at.
  if (paidOn !== null && paidOn >= expiresOn) return 'paid';
  return keeps ? null : 'no_bin';
}

/** Something that is going to happen to a host by itself. */
export interface ExpiryEvent {
  readonly what: 'remind' | 'pause' | 'tell' | 'delete' | 'keep';
  readonly day: string;
  /** Of a reminder: days that are left then. */
  readonly left?: number;
  /** Of telling: the day of the deletion. */
  readonly deletesOn?: string;
  readonly why?: KeptFor;
}

/** The days a forecast is for. */
export interface ForecastDays {
  /** First day the sweep has to do with: today. */
  readonly from: string;
  /** First day of the daily jobs: today, or tomorrow where they have run. */
  readonly remindFrom: string;
  readonly deleteFrom: string;
  /** Last one. */
  readonly until: string;
}

/** Forecasts what the jobs will do to a host, by running their rules for each day that matters. */
export function forecast(host: ExpiringHost, rules: ExpiryRules, days: ForecastDays): ExpiryEvent[] {
  const events: ExpiryEvent[] = [];
  let now = host;
  for (const day of daysThatMatter(host, rules, days)) {
    if (isPauseDue(now, day)) {
      events.push({ what: 'pause', day });
      now = { ...now, state: 'paused', pauseReasons: [...now.pauseReasons, PAUSE_REASON.expiry] };
    }
    const step = day >= days.remindFrom ? reminderDue(now, rules, day) : null;
    if (step !== null) {
      events.push({ what: 'remind', day, left: daysBetween(day, now.expiresOn!) });
      now = { ...now, told: { ...now.told, remindedFor: now.expiresOn, remindedStep: step } };
    }
    if (day < days.deleteFrom) continue;
    const next = deletionStep(now, rules, day);
    if (next.step === 'tell') {
      events.push({ what: 'tell', day, deletesOn: next.day });
      now = { ...now, told: { ...now.told, toldFor: now.expiresOn, deletesOn: next.day } };
    } else if (next.step === 'delete') {
      return [...events, { what: 'delete', day }];
    } else if (next.step === 'keep' && next.day <= days.until) {
      return [...events, { what: 'keep', day: laterOf(next.day, day), why: next.why }];
    }
  }
  return events;
}

/** Every day on which something about a host may change, in order; on the days between all answers are the same. */
function daysThatMatter(host: ExpiringHost, rules: ExpiryRules, { from, remindFrom, deleteFrom, until }: ForecastDays): string[] {
  const last = lastDayOf(host);
  if (host.expiresOn === null || last === null) return [];
  const paused = laterOf(dayAfter(last, 1), from);
  const found = [from, remindFrom, deleteFrom, paused, ...rules.reminders.map((step) => dayAfter(host.expiresOn!, -step))];
  const allowed = deletionDay(host, rules);
  if (allowed !== null) {
    const told = laterOf(laterOf(dayAfter(allowed, -TOLD_DAYS), paused), deleteFrom);
    const ends = [allowed, laterOf(allowed, dayAfter(told, TOLD_DAYS)), laterOf(host.told.deletesOn ?? allowed, allowed)];
    found.push(told, ...ends.flatMap((day) => [day, laterOf(day, deleteFrom)]));
  }
  return [...new Set(found)].filter((day) => day >= from && day <= until).sort();
}

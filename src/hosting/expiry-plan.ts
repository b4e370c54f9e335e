import { daysBetween } from '../common/index.js';
import { PAUSE_REASON } from './accounts/index.js';
import { dayAfter, isExpired, lastDayOf, laterOf, NOTICE_DAYS, type ServiceDays } from './calendar.js';

/** Maximum days a deletion waits for an unpaid order of the host. */
export const ORDER_DAYS = 3;
/** Pause reasons that do not prevent deletion for expiry. Pauses by an administrator, a scan or a plugin do. */
const DELETABLE: readonly string[] = [PAUSE_REASON.expiry, PAUSE_REASON.quota, PAUSE_REASON.idle, PAUSE_REASON.api];

/** Settings of the installation for hosts that expire. */
export interface ExpiryRules {
  /** Days before the last day on which owners are reminded, in descending order. */
  readonly reminders: readonly number[];
  /** Days a host is kept after being paused; 0: never deleted. */
  readonly keepDays: number;
}

/** Notices sent about a host's expiry; each applies to one last day. */
export interface SentExpiryNotices {
  readonly remindedFor: string | null;
  readonly remindedStep: number | null;
  readonly toldFor: string | null;
  readonly deletesOn: string | null;
}

/** The properties of a host that expiry depends on. */
export interface ExpiringHost extends ServiceDays {
  readonly state: string;
  readonly pauseReasons: readonly string[];
  /** Days it is kept, 0 for ever; null: the default of the rules. */
  readonly keepDays: number | null;
  /** Day it was opened. */
  readonly openedOn: string;
  /** An administrator exempted it from deletion. */
  readonly exempt: boolean;
  /** Whether its server keeps deleted sites. */
  readonly keeps: boolean;
  /** Payment day of its newest order that was not refunded; null: none. */
  readonly paidOn: string | null;
  /** It has an unpaid order. */
  readonly hasOpenOrder: boolean;
  readonly sentNotices: SentExpiryNotices;
}

/** Why an expired host is not deleted. */
export type KeptFor = 'exempt' | 'paused' | 'no_bin' | 'paid' | 'order';

/** Next step of an expired host towards its deletion. */
export type DeletionStep =
  /** Nothing to do: it is in service, or never deleted. */
  | { readonly step: 'none' }
  /** Not due yet: neither the announcement nor the deletion. */
  | { readonly step: 'wait'; readonly day: string }
  /** Announce to its owner that it will be deleted on `day`. */
  | { readonly step: 'tell'; readonly day: string }
  /** It would be deleted on `day`, but is kept. */
  | { readonly step: 'keep'; readonly day: string; readonly why: KeptFor }
  | { readonly step: 'delete'; readonly day: string };

/**
 * Returns the reminder due on `today`, as its number of days; null: none is due, or it was sent. A missed one is made up for until the
 * next.
 */
export function reminderDue(host: ExpiringHost, { reminders }: ExpiryRules, today: string): number | null {
  const { expiresOn, state, openedOn, sentNotices } = host;
  if (expiresOn === null || state !== 'active' || expiresOn < today) return null;
  const step = reminders.filter((days) => dayAfter(expiresOn, -days) <= today).at(-1);
  if (step === undefined || dayAfter(expiresOn, -step) < openedOn) return null;
  const given = sentNotices.remindedFor === expiresOn ? sentNotices.remindedStep : null;
  return given === null || given > step ? step : null;
}

/** Returns whether a host is due to be paused on `today`: its last day, grace and hold have passed. */
export function isPauseDue(host: Pick<ExpiringHost, keyof ServiceDays | 'state' | 'pauseReasons'>, today: string): boolean {
  const { state, pauseReasons } = host;
  return (state === 'active' || state === 'paused') && !pauseReasons.includes(PAUSE_REASON.expiry) && isExpired(lastDayOf(host), today);
}

/** Returns the first day on which the rules allow the deletion of a host; null: never. */
export function deletionDay(host: ServiceDays & Pick<ExpiringHost, 'keepDays'>, rules: Pick<ExpiryRules, 'keepDays'>): string | null {
  const keep = host.keepDays ?? rules.keepDays;
  const last = lastDayOf(host);
  return keep === 0 || last === null ? null : dayAfter(last, keep + 1);
}

/** Returns the step due on `today` for an expired host. */
export function deletionStep(host: ExpiringHost, rules: ExpiryRules, today: string): DeletionStep {
  const { expiresOn, state, pauseReasons, sentNotices } = host;
  const allowed = deletionDay(host, rules);
  if (allowed === null || expiresOn === null || state !== 'paused' || !pauseReasons.includes(PAUSE_REASON.expiry)) return { step: 'none' };
  if (!isExpired(lastDayOf(host), today)) return { step: 'none' };
  const isAnnounced = sentNotices.toldFor === expiresOn && sentNotices.deletesOn !== null;
  const day = isAnnounced ? laterOf(sentNotices.deletesOn!, allowed) : laterOf(allowed, dayAfter(today, NOTICE_DAYS));
  const why = keepReason(host, expiresOn);
  if (why) return { step: 'keep', day: isAnnounced ? day : allowed, why };
  if (!isAnnounced) return today < dayAfter(allowed, -NOTICE_DAYS) ? { step: 'wait', day: allowed } : { step: 'tell', day };
  if (today < day) return { step: 'wait', day };
  if (host.hasOpenOrder && today < dayAfter(day, ORDER_DAYS)) return { step: 'keep', day, why: 'order' };
  return { step: 'delete', day };
}

function keepReason({ exempt, pauseReasons, keeps, paidOn }: ExpiringHost, expiresOn: string): KeptFor | null {
  if (exempt) return 'exempt';
  if (pauseReasons.some((reason) => !DELETABLE.includes(reason))) return 'paused';
  // Paid since but still expired: an error that a person has to check.
  if (paidOn !== null && paidOn >= expiresOn) return 'paid';
  return keeps ? null : 'no_bin';
}

/** A future event of a host. */
export interface ExpiryEvent {
  readonly what: 'remind' | 'pause' | 'tell' | 'delete' | 'keep';
  readonly day: string;
  /** Of a reminder: remaining days at that time. */
  readonly left?: number;
  /** Of an announcement: the day of the deletion. */
  readonly deletesOn?: string;
  readonly why?: KeptFor;
}

/** Range of days of a forecast. */
export interface ForecastDays {
  /** First day of the expiry sweep: today. */
  readonly from: string;
  /** First day of the daily jobs: today, or tomorrow if they have already run. */
  readonly remindFrom: string;
  readonly deleteFrom: string;
  /** Last day. */
  readonly until: string;
}

/** Forecasts what the jobs will do to a host, by running their rules for each relevant day. */
export function forecast(host: ExpiringHost, rules: ExpiryRules, days: ForecastDays): ExpiryEvent[] {
  const events: ExpiryEvent[] = [];
  let now = host;
  for (const day of relevantDays(host, rules, days)) {
    if (isPauseDue(now, day)) {
      events.push({ what: 'pause', day });
      now = { ...now, state: 'paused', pauseReasons: [...now.pauseReasons, PAUSE_REASON.expiry] };
    }
    const step = day >= days.remindFrom ? reminderDue(now, rules, day) : null;
    if (step !== null) {
      events.push({ what: 'remind', day, left: daysBetween(day, now.expiresOn!) });
      now = { ...now, sentNotices: { ...now.sentNotices, remindedFor: now.expiresOn, remindedStep: step } };
    }
    if (day < days.deleteFrom) continue;
    const next = deletionStep(now, rules, day);
    if (next.step === 'tell') {
      events.push({ what: 'tell', day, deletesOn: next.day });
      now = { ...now, sentNotices: { ...now.sentNotices, toldFor: now.expiresOn, deletesOn: next.day } };
    } else if (next.step === 'delete') {
      return [...events, { what: 'delete', day }];
    } else if (next.step === 'keep' && next.day <= days.until) {
      return [...events, { what: 'keep', day: laterOf(next.day, day), why: next.why }];
    }
  }
  return events;
}

/** Returns the days on which a host's state may change, sorted; between them the rules give the same result. */
function relevantDays(host: ExpiringHost, rules: ExpiryRules, { from, remindFrom, deleteFrom, until }: ForecastDays): string[] {
  const last = lastDayOf(host);
  if (host.expiresOn === null || last === null) return [];
  const paused = laterOf(dayAfter(last, 1), from);
  const found = [from, remindFrom, deleteFrom, paused, ...rules.reminders.map((step) => dayAfter(host.expiresOn!, -step))];
  const allowed = deletionDay(host, rules);
  if (allowed !== null) {
    const announcedOn = laterOf(laterOf(dayAfter(allowed, -NOTICE_DAYS), paused), deleteFrom);
    const ends = [allowed, laterOf(allowed, dayAfter(announcedOn, NOTICE_DAYS)), laterOf(host.sentNotices.deletesOn ?? allowed, allowed)];
    found.push(announcedOn, ...ends.flatMap((day) => [day, laterOf(day, deleteFrom)]));
  }
  return [...new Set(found)].filter((day) => day >= from && day <= until).sort();
}

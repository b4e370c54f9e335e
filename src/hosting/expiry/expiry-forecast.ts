import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { legacyDay } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { JobRuns } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { DeletionCap, type DeletionState } from '../accounts/index.js';
import { dayAfter, isExpired, lastDayOf, laterOf } from '../calendar.js';
import { deletionStep, type ExpiryEvent, type ExpiryRules, forecast, type ForecastDays, type KeptFor } from '../expiry-plan.js';

import { type EndingHost, ExpiryRepository, FIRST_EXPIRY } from './expiry-repository.js';
import { expiryRules } from './expiry-settings.js';

const BATCH = 200;
/** Maximum hosts scanned for one forecast. */
export const MAX_SCANNED = 20_000;

/** A future event of a host. */
export interface ComingEvent extends Omit<ExpiryEvent, 'why'> {
  readonly host: EndingHost;
  /** Why it does not happen on its regular day. `cap`: postponed by the daily limit; `clock`: waits for an administrator's confirmation. */
  readonly why?: KeptFor | 'cap' | 'clock';
}

/** Expiry state of an expired host. */
export interface HostEnd {
  /** Its last day. */
  readonly expiredOn: string;
  /** Last day of its grace or hold; null: it is paused. */
  readonly runsUntil: string | null;
  /** First day on which it may be deleted; null: it will not be. */
  readonly deletesOn: string | null;
}

/** Forecasts reminders, pauses and deletions, using the same rules as the jobs. */
@Injectable()
export class ExpiryForecast {
  constructor(
    private readonly repository: ExpiryRepository,
    private readonly cap: DeletionCap,
    private readonly runs: JobRuns,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** Returns the events of the coming days, sorted by day. @param days number of days, today included */
  async coming(days: number): Promise<readonly ComingEvent[]> {
    const today = this.clock.today();
    const rules = expiryRules(this.site.current);
    const span = await this.spanOf(today, days);
    const events: ComingEvent[] = [];
    for await (const hosts of this.batches(scanUntil(span.until, rules), rules))
      for (const host of hosts) for (const event of forecast(host, rules, span)) events.push({ ...event, host });
    return withDailyLimit(events, await this.cap.state(), span).sort(byDay);
  }

  /** Returns whether {@link coming} leaves out the hosts that expire last, because there are more than {@link MAX_SCANNED}. */
  async isCut(days: number): Promise<boolean> {
    const rules = expiryRules(this.site.current);
    const until = dayAfter(this.clock.today(), days - 1);
    return (await this.repository.countBy(scanUntil(until, rules), rules.keepDays)) > MAX_SCANNED;
  }

  /** Returns the expiry state of an expired host; null: it has not expired. */
  async endOf(id: number): Promise<HostEnd | null> {
    const host = await this.repository.find(id);
    const today = this.clock.today();
    if (!host || !isExpired(host.expiresOn, today)) return null;
    const last = lastDayOf(host)!;
    if (!isExpired(last, today)) return { expiredOn: host.expiresOn, runsUntil: last, deletesOn: null };
    const next = deletionStep(host, expiryRules(this.site.current), today);
    const isComing = next.step === 'wait' || next.step === 'tell' || next.step === 'delete';
    return { expiredOn: host.expiresOn, runsUntil: null, deletesOn: isComing ? laterOf(next.day, dayAfter(today, 1)) : null };
  }

  /** Daily jobs that have already run today run again tomorrow. */
  private async spanOf(today: string, days: number): Promise<ForecastDays> {
    const next = async (job: string, hour: string): Promise<string> => {
      const last = await this.runs.last(`core:${job}`);
      const isToday = last !== undefined && legacyDay(last.dueAt, this.clock.timezone) === today && this.timeOf(last.dueAt) >= hour;
      return isToday ? dayAfter(today, 1) : today;
    };
    const [remindFrom, deleteFrom] = await Promise.all([next('expiry-reminders', '09:00'), next('expiry-deletions', '11:00')]);
    return { from: today, remindFrom, deleteFrom, until: dayAfter(today, days - 1) };
  }

  private timeOf(moment: Date): string {
    return moment.toLocaleTimeString('en-GB', { timeZone: this.clock.timezone, hour: '2-digit', minute: '2-digit' });
  }

  /** Yields the event loop between batches. */
  private async *batches(until: string, rules: ExpiryRules): AsyncGenerator<EndingHost[]> {
    let last = FIRST_EXPIRY;
    for (let scanned = 0; scanned < MAX_SCANNED; scanned += BATCH) {
      const found = await this.repository.comingBy(until, rules.keepDays, last, BATCH);
      yield found;
      if (found.length < BATCH) return;
      last = found.at(-1)!;
      await nextTurn();
    }
  }
}

/** Hosts with a later last day have no events in this range, not even a reminder. */
const scanUntil = (until: string, { reminders }: ExpiryRules): string => dayAfter(until, reminders[0] ?? 0);

/**
 * Postpones deletions above the daily limit to the next day, the oldest first, as the job does. While the clock is not trusted, all of
 * them.
 */
function withDailyLimit(events: readonly ComingEvent[], cap: DeletionState, { deleteFrom, until }: ForecastDays): ComingEvent[] {
  const others = events.filter(({ what }) => what !== 'delete');
  const deletions = events.filter(({ what }) => what === 'delete');
  if (cap.jump) return [...others, ...deletions.map((event): ComingEvent => ({ ...event, what: 'keep', why: 'clock' }))];
  const done: ComingEvent[] = [];
  let left = deletions.sort((a, b) => byExpiry(a.host, b.host));
  for (let day = deleteFrom; day <= until && left.length > 0; day = dayAfter(day, 1)) {
    const isToday = day === cap.day;
    const room = !isToday ? cap.most : cap.releasedBy === null ? Math.max(0, cap.most - cap.done) : left.length;
    const due = left.filter((event) => event.day <= day);
    const now = new Set(due.slice(0, room));
    done.push(...[...now].map((event): ComingEvent => (event.day === day ? event : { ...event, day, why: 'cap' })));
    left = left.filter((event) => !now.has(event));
  }
  // Deletions that do not fit into this range are shown on the day they were due.
  return [...others, ...done, ...left.map((event): ComingEvent => ({ ...event, what: 'keep', why: 'cap' }))];
}

const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);
const byExpiry = (a: EndingHost, b: EndingHost): number => compare(a.expiresOn, b.expiresOn) || a.id - b.id;
const byDay = (a: ComingEvent, b: ComingEvent): number => compare(a.day, b.day) || a.host.id - b.host.id || compare(a.what, b.what);

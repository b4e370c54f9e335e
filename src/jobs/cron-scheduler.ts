import { Inject, Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { Clock, loggerFor, settleWithin } from '../common/index.js';
import { AppConfig } from '../config/index.js';

import { CronClaims } from './cron-claims.js';
import { JobRegistry } from './job-registry.js';
import { jobKey, type DailyJob, type ScheduledJob } from './scheduled-job.js';

/** Fires the hook `cron`. */
export type CronHookRunner = () => unknown;

/** Injection token of the {@link CronHookRunner}. */
export const CRON_HOOK_RUNNER = Symbol('CronHookRunner');

const MINUTE = 60_000;
/** How long a shutdown waits for jobs under way, in milliseconds. */
const SHUTDOWN_WAIT = 10_000;

/**
 * The tick: once a minute, in one process however many run, first the jobs, then the hook `cron`. Runs where `SERVICES`
 * has `worker`.
 */
@Injectable()
export class CronScheduler implements OnModuleDestroy {
  private readonly log = loggerFor('jobs');
  private readonly localTime: Intl.DateTimeFormat;
  /** Day each daily job was last claimed by somebody, so that the table is asked once a day. */
  private readonly settledDays = new Map<string, string>();
  private readonly ticks = new Set<Promise<boolean>>();
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly claims: CronClaims,
    private readonly jobs: JobRegistry,
    @Optional() @Inject(CRON_HOOK_RUNNER) private readonly cronHook: CronHookRunner | null = null,
  ) {
    this.localTime = new Intl.DateTimeFormat('sv-SE', { timeZone: config.timezone, dateStyle: 'short', timeStyle: 'short' });
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    const ended = await settleWithin(Promise.all([...this.ticks, this.jobs.idle()]), SHUTDOWN_WAIT);
    if (!ended) this.log.warn('jobs still ran at shutdown');
  }

  /** Called by the scheduler at each full minute; a timer may be some milliseconds early. */
  @Cron('0 * * * * *')
  async onMinute(): Promise<void> {
    if (!this.config.runs('worker')) return;
    await this.tick(new Date(Math.round(this.clock.now().getTime() / MINUTE) * MINUTE));
  }

  /**
   * Runs the tick of the minute `now` is in, unless this or another process has.
   *
   * @returns whether it ran here; resolves when its jobs and hook are through; never rejects
   */
  async tick(now: Date): Promise<boolean> {
    if (this.stopped) return false;
    const tick = this.runTick(now).catch((error: unknown) => {
      this.log.error({ err: error }, 'the tick of this minute failed');
      return false;
    });
    this.ticks.add(tick);
    try {
      return await tick;
    } finally {
      this.ticks.delete(tick);
    }
  }

  private async runTick(now: Date): Promise<boolean> {
    const minute = Math.floor(now.getTime() / MINUTE);
    if (!(await this.claims.claim(`tick:${new Date(minute * MINUTE).toISOString().slice(0, 16)}`))) return false;
    const due: ScheduledJob[] = [];
    for (const job of this.jobs.list()) {
      if ('dailyAt' in job ? await this.claimDay(job, now) : minute % job.everyMinutes === 0) due.push(job);
    }
    await this.jobs.runAll(due, now);
    try {
      await this.cronHook?.();
    } catch (error) {
      this.log.error({ err: error }, 'the hook cron failed');
    }
    return true;
  }

  private async claimDay(job: DailyJob, now: Date): Promise<boolean> {
    const [day, time] = this.localTime.format(now).split(' ') as [string, string];
    const key = jobKey(job);
    if (time < job.dailyAt || this.settledDays.get(key) === day) return false;
    const claimed = await this.claims.claim(`${key}@${day}`);
    this.settledDays.set(key, day);
    return claimed;
  }
}

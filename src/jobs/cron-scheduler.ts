import { Inject, Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';

import { CORE_OWNER, MINUTE_MS, Clock, loggerFor, waitAtMost } from '../common/index.js';
import { AppConfig } from '../config/index.js';

import { lastDue } from './due-times.js';
import { JobRegistry } from './job-registry.js';
import { JobRunner } from './job-runner.js';
import { JobRuns } from './job-runs.js';
import { Quiet } from './quiet.js';
import { jobKey, type ScheduledJob } from './scheduled-job.js';

/** Fires the hook `cron`. */
export type CronHookRunner = () => unknown;

/** Injection token of the {@link CronHookRunner}. */
export const CRON_HOOK_RUNNER = Symbol('CronHookRunner');

/** Name of the `@Cron` that triggers the jobs every minute. */
export const MINUTE_TICK = 'minute-tick';

/** How long the next job waits for a running one before it starts in parallel, in milliseconds. */
const WAIT_MS = 20_000;
/** How long a shutdown waits for running ticks, in milliseconds. */
const SHUTDOWN_WAIT_MS = 10_000;

/**
 * Once a minute every process starts the jobs that are due; the table of runs ensures that each runs in only one process. The hook `cron`
 * is the last job. Active where `SERVICES` includes `worker`.
 */
@Injectable()
export class CronScheduler implements OnModuleDestroy {
  private readonly log = loggerFor('jobs');
  /** Last due time per job that needs no further check, to save database queries. */
  private readonly handled = new Map<string, number>();
  private readonly ticks = new Set<Promise<boolean>>();
  private readonly hook: ScheduledJob | null;
  private started = false;
  private stopped = false;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly runs: JobRuns,
    private readonly runner: JobRunner,
    private readonly jobs: JobRegistry,
    @Optional() @Inject(CRON_HOOK_RUNNER) cronHook: CronHookRunner | null = null,
    @Optional() @Inject(Quiet) private readonly quiet: Quiet | null = null,
  ) {
    this.hook = cronHook && { owner: CORE_OWNER, name: 'cron-hook', everyMinutes: 1, run: cronHook };
    if (this.hook) jobs.add(this.hook);
  }

  /** Enables the ticks, once everything that jobs need has started. */
  start(): void {
    this.started = true;
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await waitAtMost(Promise.all(this.ticks), SHUTDOWN_WAIT_MS);
  }

  /** Called by the scheduler at each full minute; the timer may be some milliseconds early. */
  @Cron('0 * * * * *', { name: MINUTE_TICK })
  async onMinute(): Promise<void> {
    if (!this.started || !this.config.runs('worker')) return;
    await this.tick(new Date(Math.round(this.clock.now().getTime() / MINUTE_MS) * MINUTE_MS));
  }

  /**
   * Runs the jobs that are due in the minute of `now` and not run by another process; none while the installation is on hold.
   *
   * @returns whether any job ran here; resolves when all have finished, or 20 seconds after the last one started; never rejects
   */
  async tick(now: Date): Promise<boolean> {
    if (this.stopped || this.quiet?.active) return false;
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
    const dead = await this.runs.endCrashed();
    if (dead > 0) this.log.warn({ jobs: dead }, 'runs of a crashed process were ended; their jobs run again when due');
    let ran = false;
    const jobs = this.jobs.list().filter((job) => job !== this.hook);
    for (const job of this.hook ? [...jobs, this.hook] : jobs) {
      if (this.stopped) return ran;
      const due = await this.dueTime(job, now);
      if (!due) continue;
      const started = await this.runner.start(job, due);
      if (started === 'running')
        this.log.warn({ job: jobKey(job), plugin: job.owner }, 'a job is still running from an earlier tick and was not started again');
      else this.handled.set(jobKey(job), due.getTime());
      if (typeof started === 'string') continue;
      ran = true;
      await waitAtMost(started.ended, WAIT_MS);
    }
    return ran;
  }

  /** Returns the due time of a job if it must run now. */
  private async dueTime(job: ScheduledJob, now: Date): Promise<Date | null> {
    const due = lastDue(job, now, this.config.timezone);
    if (!due || this.handled.get(jobKey(job)) === due.getTime()) return null;
    if ('dailyAt' in job || now.getTime() - due.getTime() < MINUTE_MS) return due;
    if (!('catchUp' in job) || !job.catchUp) return null;
    const last = await this.runs.last(jobKey(job));
    if (last && last.dueAt < due) return due;
    this.handled.set(jobKey(job), due.getTime());
    return null;
  }
}

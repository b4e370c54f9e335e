import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor, runInFrame, settleWithin, type Undo } from '../common/index.js';

import { checkJob, jobKey, type ScheduledJob } from './scheduled-job.js';

/** How long the next job waits for one before it starts beside it, in milliseconds. */
const PATIENCE = 20_000;

/** How the last run of a job went. */
export interface JobReport {
  readonly startedAt: Date;
  /** Milliseconds; null while it runs. */
  readonly duration: number | null;
  /** What it failed with; null where it did not. */
  readonly error: string | null;
}

interface Entry {
  readonly job: ScheduledJob;
  running: Promise<void> | null;
  report: JobReport | null;
}

/** The jobs of the tick. One that throws, or never ends, stops no other. */
@Injectable()
export class JobRegistry {
  private readonly entries = new Map<string, Entry>();
  private readonly log = loggerFor('jobs');

  /**
   * Adds a job; it runs from the next tick on.
   *
   * @returns takes it away again; a run under way goes on to its end
   * @throws Error for a name that is taken, a period outside 1 to 1440, a time that is none
   */
  add(job: ScheduledJob): Undo {
    checkJob(job);
    const key = jobKey(job);
    if (this.entries.has(key)) throw new Error(`There is already a job named "${key}".`);
    const entry: Entry = { job, running: null, report: null };
    this.entries.set(key, entry);
    return () => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    };
  }

  /** Every job, in the order they were added. */
  list(): readonly ScheduledJob[] {
    return [...this.entries.values()].map((entry) => entry.job);
  }

  /** How the last run of a job in this process went; null before the first. */
  report(job: ScheduledJob): JobReport | null {
    return this.entries.get(jobKey(job))?.report ?? null;
  }

  /** Runs these jobs one after another; one that takes over 20 seconds goes on beside the next. Never rejects. */
  async runAll(jobs: readonly ScheduledJob[], now: Date): Promise<void> {
    for (const job of jobs) {
      const entry = this.entries.get(jobKey(job));
      if (!entry || entry.job !== job) continue;
      if (entry.running) {
        this.log.warn({ job: jobKey(job), plugin: job.owner }, 'a job still runs from an earlier tick and was not started again');
        continue;
      }
      entry.running = this.run(entry, now).finally(() => (entry.running = null));
      await settleWithin(entry.running, PATIENCE);
    }
  }

  /** Resolves when no job runs in this process. */
  async idle(): Promise<void> {
    for (;;) {
      const running = [...this.entries.values()].flatMap((entry) => entry.running ?? []);
      if (running.length === 0) return;
      await Promise.all(running);
    }
  }

  private async run(entry: Entry, startedAt: Date): Promise<void> {
    const { job } = entry;
    const place = { job: jobKey(job), plugin: job.owner };
    const began = performance.now();
    entry.report = { startedAt, duration: null, error: null };
    let failure: string | null = null;
    try {
      await runInFrame({ owner: job.owner }, async () => void (await job.run()));
    } catch (error) {
      failure = errorMessage(error);
      this.log.error({ ...place, err: error }, 'a job failed');
    }
    const duration = Math.round(performance.now() - began);
    entry.report = { startedAt, duration, error: failure };
    this.log.debug({ ...place, duration }, 'a job has run');
  }
}

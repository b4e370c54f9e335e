import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';

import { checkJob, jobKey, type ScheduledJob } from './scheduled-job.js';

/** The jobs of the tick. */
@Injectable()
export class JobRegistry {
  private readonly jobs = new Map<string, ScheduledJob>();

  /**
   * Adds a job; it runs from the next tick on.
   *
   * @returns takes it away again; a run under way goes on to its end
   * @throws Error for a name that is taken, a period outside 1 to 1440, a time that is none
   */
  add(job: ScheduledJob): Undo {
    checkJob(job);
    const key = jobKey(job);
    if (this.jobs.has(key)) throw new Error(`There is already a job named "${key}".`);
    this.jobs.set(key, job);
    return () => {
      if (this.jobs.get(key) === job) this.jobs.delete(key);
    };
  }

  /** Every job, in the order they were added. */
  list(): readonly ScheduledJob[] {
    return [...this.jobs.values()];
  }

  /** A job by owner and name, such as `core:order-expiry`. */
  find(key: string): ScheduledJob | undefined {
    return this.jobs.get(key);
  }
}

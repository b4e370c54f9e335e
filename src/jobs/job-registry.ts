import { Injectable } from '@nestjs/common';

import type { Undo } from '../common/index.js';

import { checkJob, jobKey, type ScheduledJob } from './scheduled-job.js';

/** Registry of scheduled jobs. */
@Injectable()
export class JobRegistry {
  private readonly jobs = new Map<string, ScheduledJob>();

  /**
   * Adds a job; it runs from the next tick on.
   *
   * @returns a function that removes it; a running run continues
   * @throws Error for a name that is taken, a period outside 1 to 1440, an invalid time
   */
  add(job: ScheduledJob): Undo {
    checkJob(job);
    const key = jobKey(job);
    if (this.jobs.has(key)) throw new Error(`A job named "${key}" is already registered.`);
    this.jobs.set(key, job);
    return () => {
      if (this.jobs.get(key) === job) this.jobs.delete(key);
    };
  }

  /** Returns all jobs in the order they were added. */
  list(): readonly ScheduledJob[] {
    return [...this.jobs.values()];
  }

  /** Returns a job by owner and name, such as `core:order-expiry`. */
  find(key: string): ScheduledJob | undefined {
    return this.jobs.get(key);
  }
}

import { Injectable } from '@nestjs/common';

import { MINUTE_MS, Clock, waitAtMost } from '../common/index.js';
import { JobRegistry, JobRunner } from '../jobs/index.js';

/** How long a call of a crontab waits for the work to end, in milliseconds; the work continues after that. */
export const CALL_TIMEOUT_MS = 25_000;

/** Returns the start of the minute of a time. */
export const minuteOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS);

/** Runs a scheduled job when a crontab asks for it. */
@Injectable()
export class TriggeredJob {
  constructor(
    private readonly jobs: JobRegistry,
    private readonly runner: JobRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs a job, at most once a minute.
   *
   * @returns `overlap` if an earlier run has not ended, `unfinished` if this one takes longer than {@link CALL_TIMEOUT_MS}; otherwise the
   * minute of the run
   */
  async run(name: string): Promise<Date | 'overlap' | 'unfinished'> {
    const minute = minuteOf(this.clock.now());
    const started = await this.runner.start(this.jobs.find(name)!, minute);
    if (started === 'running') return 'overlap';
    if (started !== 'had' && !(await waitAtMost(started.ended, CALL_TIMEOUT_MS))) return 'unfinished';
    return minute;
  }
}

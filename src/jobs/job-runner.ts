import { Injectable, type OnModuleDestroy } from '@nestjs/common';

import { MINUTE_MS, errorMessage, loggerFor, runInFrame, waitAtMost } from '../common/index.js';

import { JobRuns, LEASE_MS } from './job-runs.js';
import { jobKey, type ScheduledJob } from './scheduled-job.js';

const RENEWAL_MS = LEASE_MS / 4;
const TIMEOUT_MINUTES = 30;
/** How long a shutdown waits for running jobs, in milliseconds. */
const SHUTDOWN_WAIT = 10_000;

/** Why a run was asked to stop. */
class RunStopped extends Error {
  /** @param text key of the text for the page of jobs */
  constructor(
    readonly text: string,
    message: string,
  ) {
    super(message);
  }
}

/** A run in this process. */
export interface StartedRun {
  /** Resolves when the work has finished and its outcome is stored; never rejects. */
  readonly ended: Promise<void>;
}

/**
 * Runs jobs under a lease, which is renewed until the work has really finished, even after it was asked to stop, so that no second run
 * starts in parallel. The lease of a crashed process expires.
 */
@Injectable()
export class JobRunner implements OnModuleDestroy {
  private readonly log = loggerFor('jobs');
  private readonly running = new Map<Promise<void>, AbortController>();

  constructor(private readonly runs: JobRuns) {}

  async onModuleDestroy(): Promise<void> {
    for (const abort of this.running.values()) abort.abort(new RunStopped('monitor.panel_stopped', 'The panel is being stopped.'));
    const ended = await waitAtMost(Promise.all(this.running.keys()), SHUTDOWN_WAIT);
    if (!ended) this.log.warn('jobs were still running at shutdown');
  }

  /** Starts a job for a due time, unless that time was already handled (`had`) or the job is still `running`. */
  async start(job: ScheduledJob, dueAt: Date): Promise<StartedRun | 'had' | 'running'> {
    const id = await this.runs.begin(jobKey(job), dueAt);
    if (typeof id === 'string') return id;
    const abort = new AbortController();
    const ended = this.run(job, id, abort)
      .catch((error: unknown) => this.log.error({ job: jobKey(job), err: error }, 'the outcome of a job could not be stored'))
      .finally(() => this.running.delete(ended));
    this.running.set(ended, abort);
    return { ended };
  }

  private async run(job: ScheduledJob, id: number, abort: AbortController): Promise<void> {
    const fields = { job: jobKey(job), plugin: job.owner };
    const minutes = job.timeoutMinutes ?? TIMEOUT_MINUTES;
    const renewal = setInterval(() => void this.renew(id, abort, fields), RENEWAL_MS).unref();
    const limit = setTimeout(() => {
      this.log.warn({ ...fields, minutes }, 'a job exceeded its timeout and was asked to stop');
      abort.abort(new RunStopped('monitor.took_too_long', `The job took longer than ${minutes} minutes.`));
    }, minutes * MINUTE_MS).unref();
    let items: number | null = null;
    let error: string | null = null;
    try {
      const result = await runInFrame({ owner: job.owner }, async () => job.run({ signal: abort.signal }));
      if (typeof result === 'number') items = result;
    } catch (failure) {
      error = errorMessage(failure);
      this.log.error({ ...fields, err: failure }, 'a job failed');
    } finally {
      clearInterval(renewal);
      clearTimeout(limit);
    }
    // An error after the request to stop is a consequence of it.
    const { reason } = abort.signal as { reason: unknown };
    await this.runs.end(id, { items, error: reason instanceof RunStopped ? reason.text : error });
  }

  private async renew(id: number, abort: AbortController, fields: object): Promise<void> {
    try {
      if (await this.runs.renew(id)) return;
      this.log.warn(fields, 'the lease of a job expired because its process was suspended for too long; the job was asked to stop');
      abort.abort(new RunStopped('monitor.process_gone', 'The lease of the job expired: another process may run it again.'));
    } catch (error) {
      // The next renewal may reach the database again.
      this.log.warn({ ...fields, err: error }, 'the lease of a job could not be renewed');
    }
  }
}

import { Injectable } from '@nestjs/common';

import { DeadLetters } from '../../hooks/index.js';
import { BackgroundQueue, JobRegistry, JobRuns, jobKey } from '../../jobs/index.js';

import { fine, warning, type HealthFinding } from './finding.js';

/** Only the total is needed. */
const LIST = { page: 1, limit: 1 };

/** Checks that need the running panel: events, background tasks, and the last runs of jobs. */
@Injectable()
export class RunningChecks {
  constructor(
    private readonly deadLetters: DeadLetters,
    private readonly queue: BackgroundQueue,
    private readonly jobs: JobRegistry,
    private readonly runs: JobRuns,
  ) {}

  /** Returns the findings for events, tasks and jobs, in this order. */
  async examine(): Promise<HealthFinding[]> {
    return [await this.events(), await this.background(), await this.lastRuns()];
  }

  private async events(): Promise<HealthFinding> {
    const [dead, { total: waiting }] = await Promise.all([this.deadLetters.count(), this.deadLetters.waitingPage(LIST)]);
    return dead === 0 ? fine('events', 'events', { waiting }) : warning('events', 'events_dead', { count: dead, waiting }, 'events_advice');
  }

  private async background(): Promise<HealthFinding> {
    if (!this.queue.available) return warning('background', 'queue_away', {}, 'queue_away_advice');
    const [waiting, failed] = await Promise.all([this.queue.list({ state: 'waiting' }, LIST), this.queue.list({ state: 'failed' }, LIST)]);
    const counts = { waiting: waiting.total, failed: failed.total };
    return failed.total === 0 ? fine('background', 'tasks', counts) : warning('background', 'tasks', counts, 'tasks_advice');
  }

  private async lastRuns(): Promise<HealthFinding> {
    const runs = await Promise.all(this.jobs.list().map(async (job) => ({ name: jobKey(job), run: await this.runs.last(jobKey(job)) })));
    const failed = runs.filter(({ run }) => typeof run?.error === 'string').map(({ name }) => name);
    return failed.length === 0
      ? fine('jobs', 'jobs', { count: runs.length })
      : warning('jobs', 'jobs_failed', { names: failed.slice(0, 5).join(', ') }, 'jobs_advice');
  }
}

import { Injectable } from '@nestjs/common';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';

import { CORE_OWNER, legacyTime, localeOf, translate, type Locale } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { JobRegistry, JobRunner, JobRuns, jobKey, nextDue, Quiet, type JobRun, type ScheduledJob } from '../jobs/index.js';
import { ListInput, ListReply, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { MonitorError } from './errors.js';

/** Identifies a job. */
export class JobInput {
  /** Its `id` in the list. */
  @IsString() @IsNotEmpty() @MaxLength(80) id!: string;
}

/** A job on the wire; all values are text. */
interface JobLine {
  /** Owner and name, such as `core:order-expiry`. */
  id: string;
  /** Description. */
  mc: string;
  /** Schedule as text. */
  jh: string;
  /** `never`, `running`, `ok` or `failed`. */
  zt: string;
  /** Start of the last run; empty if it never ran. */
  date: string;
  /** Duration in milliseconds; empty while it runs. */
  hs: string;
  /** Number of processed items; empty if not reported. */
  sl: string;
  /** Error of the last run. */
  cw: string;
  /** Server and process id of the process that ran it last. */
  jc: string;
  /** Next run. */
  xc: string;
}

/** Administrators' operations on scheduled jobs. Source: docs/panel-api.md "Jobs". */
@Injectable()
export class JobOperations {
  constructor(
    private readonly jobs: JobRegistry,
    private readonly runs: JobRuns,
    private readonly runner: JobRunner,
    private readonly clock: ZonedClock,
    private readonly quiet: Quiet,
  ) {}

  /** Lists all jobs with their last run, sorted by title. */
  @Operation({ side: 'admin', gn: 'jhlist', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list({ page, limit }: ListInput, ctx: CallContext): Promise<ListReply<JobLine>> {
    const locale = localeOf(ctx.locale);
    const titled = this.jobs.list().map((job) => ({ job, title: titleOf(job, locale) }));
    titled.sort((a, b) => a.title.localeCompare(b.title, locale));
    const shown = titled.slice((page - 1) * limit, page * limit);
    return new ListReply(titled.length, await Promise.all(shown.map(({ job, title }) => this.lineOf(job, title, locale))));
  }

  /**
   * Starts a job immediately; the result appears in the list.
   *
   * @throws MonitorError `JOB_MISSING`, `JOB_RUNNING`, `HELD` while a restored installation waits for review
   */
  @Operation({ side: 'admin', gn: 'jhrun', auth: 'admin', input: JobInput, audit: 'monitor.audit_job_run', rate: 'write' })
  async runNow({ id }: JobInput): Promise<SuccessReply> {
    if (this.quiet.active) throw new MonitorError('HELD');
    const job = this.jobs.find(id);
    if (!job) throw new MonitorError('JOB_MISSING');
    if (typeof (await this.runner.start(job, this.clock.now())) === 'string') throw new MonitorError('JOB_RUNNING');
    return new SuccessReply('monitor.job_started');
  }

  private async lineOf(job: ScheduledJob, title: string, locale: Locale): Promise<JobLine> {
    const { timezone } = this.clock;
    const id = jobKey(job);
    const run = await this.runs.last(id);
    return {
      id,
      mc: title,
      jh: planOf(job, locale),
      zt: stateOf(run),
      date: run ? legacyTime(run.startedAt, timezone) : '',
      hs: run?.endedAt ? String(run.endedAt.getTime() - run.startedAt.getTime()) : '',
      sl: String(run?.items ?? ''),
      cw: run?.error ? translate(locale, run.error) : '',
      jc: run?.holder.replace(/:\w+$/, '') ?? '',
      xc: legacyTime(nextDue(job, this.clock.now(), timezone), timezone),
    };
  }
}

function titleOf({ owner, name }: ScheduledJob, locale: Locale): string {
  if (owner !== CORE_OWNER) return translate(locale, 'monitor.job_of_plugin', { plugin: owner, name });
  return translate(locale, `monitor.job.${name}`);
}

function planOf(job: ScheduledJob, locale: Locale): string {
  if ('dailyAt' in job) return translate(locale, 'monitor.plan_daily', { time: job.dailyAt });
  if ('cron' in job) return translate(locale, 'monitor.plan_cron', { times: job.cron.text });
  return job.everyMinutes % 60 === 0
    ? translate(locale, 'monitor.plan_hours', { n: job.everyMinutes / 60 })
    : translate(locale, 'monitor.plan_minutes', { n: job.everyMinutes });
}

function stateOf(run: JobRun | undefined): string {
  if (!run) return 'never';
  if (!run.endedAt) return 'running';
  return run.error === null ? 'ok' : 'failed';
}

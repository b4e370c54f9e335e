import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock, processName } from '../common/index.js';
import { Database, type EntityRows, fromSqlTime } from '../database/index.js';

import { Job } from './job.js';
import { JobRun } from './job-run.entity.js';

/** How long a run is taken to be under way without a word of its process, in milliseconds. */
export const LEASE_MS = 20_000;
/** Clocks of several servers differ by seconds: nobody is taken for dead before this much more has passed. */
const SKEW_MS = 5_000;
/** Runs are kept this long, in milliseconds. */
const KEPT_MS = 3 * DAY_MS;
const MAX_ERROR = 500;

/** How long ago, by the clock of now, a run has to be to bear witness to the time, in milliseconds: 20 hours. */
const WITNESS_MS = 20 * HOUR_MS;

/** How a run ended. */
export interface JobOutcome {
  readonly items: number | null;
  readonly error: string | null;
}

/** The runs of all processes in the table: who may begin one, who is at work, how the last one went. */
@Injectable()
export class JobRuns {
  /** This process. */
  private readonly holder = processName();
  private readonly insert;
  private readonly had;
  private readonly extend;
  private readonly finish;
  private readonly giveUp;
  private readonly newest;
  private readonly newestBefore;
  private readonly remove;
  private readonly rows: EntityRows<JobRun>;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.rows = database.entityRows(JobRun);
    this.insert = database.statement(
      `${database.insertIgnore} {JobRun} ({JobRun.job}, {JobRun.dueAt}, {JobRun.running}, {JobRun.holder}, {JobRun.leaseUntil},
        {JobRun.startedAt})
       VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.had = database.statement('SELECT 1 AS had FROM {JobRun} WHERE {JobRun.job} = ? AND {JobRun.dueAt} = ?');
    const held = 'WHERE {JobRun.id} = ? AND {JobRun.running} IS NOT NULL';
    this.extend = database.statement(`UPDATE {JobRun} SET {JobRun.leaseUntil} = ? ${held}`);
    this.finish = database.statement(
      `UPDATE {JobRun} SET {JobRun.running} = NULL, {JobRun.endedAt} = ?, {JobRun.items} = ?, {JobRun.error} = ? ${held}`,
    );
    this.giveUp = database.statement(
      `UPDATE {JobRun} SET {JobRun.running} = NULL, {JobRun.endedAt} = ?, {JobRun.error} = ?
       WHERE {JobRun.leaseUntil} < ? AND {JobRun.running} IS NOT NULL`,
    );
    this.newest = database.statement(
      `SELECT ${this.rows.columns} FROM {JobRun} WHERE {JobRun.job} = ? ORDER BY {JobRun.dueAt} DESC LIMIT 1`,
    );
    this.newestBefore = database.statement<{ startedAt: string }>(
      `SELECT {JobRun.startedAt} AS startedAt FROM {JobRun} WHERE {JobRun.job} = ? AND {JobRun.dueAt} <= ? AND {JobRun.startedAt} <= ?
       ORDER BY {JobRun.dueAt} DESC LIMIT 1`,
    );
    this.remove = database.statement('DELETE FROM {JobRun} WHERE {JobRun.leaseUntil} < ? AND {JobRun.running} IS NULL');
  }

  /** Begins a run. @returns its id, or why there is none: somebody `had` this time already, or the job is still `running` */
  async begin(job: string, dueAt: Date): Promise<number | 'had' | 'running'> {
    const now = this.clock.now();
    const begun = await this.insert.run(job, dueAt, job, this.holder, new Date(now.getTime() + LEASE_MS), now);
    if (begun.affected > 0) return begun.insertId;
    return (await this.had.get(job, dueAt)) ? 'had' : 'running';
  }

  /** Says that a run is still at work. @returns false where it was taken for dead meanwhile: the run is no longer this process's */
  async renew(id: number): Promise<boolean> {
    return (await this.extend.run(new Date(this.clock.now().getTime() + LEASE_MS), id)).affected === 1;
  }

  /** Writes down how a run ended, unless it was taken for dead meanwhile. */
  async end(id: number, { items, error }: JobOutcome): Promise<void> {
    await this.finish.run(this.clock.now(), items, error?.slice(0, MAX_ERROR) ?? null, id);
  }

  /** Ends the runs of processes that are gone, so that their jobs run again. @returns how many there were */
  async giveUpDead(): Promise<number> {
    const now = this.clock.now();
    return (await this.giveUp.run(now, 'monitor.process_gone', new Date(now.getTime() - SKEW_MS))).affected;
  }

  /** The newest run of a job; undefined before the first, and where that was more than three days ago. */
  async last(job: string): Promise<JobRun | undefined> {
    const row = await this.newest.get(job);
    return row && this.rows.read(row);
  }

  /**
   * The time a job that destroys things goes by: when a run of it began, about a day ago. Where the clock is wrong, by an hour
   * or a year, nothing is destroyed for it before that clock has been so for a day, in which somebody sees it; what is
   * destroyed a day late harms nobody.
   *
   * @param now what the clock says
   * @returns null where no run of the last three days was long enough ago: nothing is to be destroyed yet
   */
  async witnessed(job: string, now: Date): Promise<Date | null> {
    const before = new Date(now.getTime() - WITNESS_MS);
    const row = await this.newestBefore.get(job, before, before);
    return row ? fromSqlTime(row.startedAt) : null;
  }

  /** Forgets runs of more than three days ago. */
  @Job({ name: 'job-runs', dailyAt: '04:00' })
  async removeOld(): Promise<number> {
    return (await this.remove.run(new Date(this.clock.now().getTime() - KEPT_MS))).affected;
  }
}

import { Injectable } from '@nestjs/common';

import { DAY_MS, HOUR_MS, Clock, processName } from '../common/index.js';
import { Database, type EntityRows, fromSqlTime } from '../database/index.js';

import { Job } from './job.js';
import { JobRun } from './job-run.entity.js';

/** How long a run counts as running without a renewal by its process, in milliseconds. */
export const LEASE_MS = 20_000;
/** Tolerance for clock differences between servers: added to a lease before its process is considered crashed. */
const SKEW_MS = 5_000;
/** Retention of runs, in milliseconds. */
const KEPT_MS = 3 * DAY_MS;
const MAX_ERROR = 500;

/** Minimum age of a run that confirms the time, by the current clock, in milliseconds: 20 hours. */
const WITNESS_MS = 20 * HOUR_MS;

/** Outcome of a run. */
export interface JobOutcome {
  readonly items: number | null;
  readonly error: string | null;
}

/** Runs of all processes in the table: claims, leases, and outcomes. */
@Injectable()
export class JobRuns {
  /** Name of this process. */
  private readonly holder = processName();
  private readonly insert;
  private readonly had;
  private readonly extend;
  private readonly finish;
  private readonly endExpired;
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
    this.endExpired = database.statement(
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

  /** Begins a run. @returns its id, or why it may not run: this time was already handled (`had`), or the job is still `running` */
  async begin(job: string, dueAt: Date): Promise<number | 'had' | 'running'> {
    const now = this.clock.now();
    const inserted = await this.insert.run(job, dueAt, job, this.holder, new Date(now.getTime() + LEASE_MS), now);
    if (inserted.affected > 0) return inserted.insertId;
    return (await this.had.get(job, dueAt)) ? 'had' : 'running';
  }

  /** Renews the lease of a run. @returns false if the run was given up meanwhile and no longer belongs to this process */
  async renew(id: number): Promise<boolean> {
    return (await this.extend.run(new Date(this.clock.now().getTime() + LEASE_MS), id)).affected === 1;
  }

  /** Stores the outcome of a run, unless it was given up meanwhile. */
  async end(id: number, { items, error }: JobOutcome): Promise<void> {
    await this.finish.run(this.clock.now(), items, error?.slice(0, MAX_ERROR) ?? null, id);
  }

  /** Ends the runs of crashed processes, so that their jobs can run again. @returns their number */
  async endCrashed(): Promise<number> {
    const now = this.clock.now();
    return (await this.endExpired.run(now, 'monitor.process_gone', new Date(now.getTime() - SKEW_MS))).affected;
  }

  /** Returns the newest run of a job; undefined before the first run, and if it was more than three days ago. */
  async last(job: string): Promise<JobRun | undefined> {
    const row = await this.newest.get(job);
    return row && this.rows.read(row);
  }

  /**
   * Returns the reference time for a destructive job: the start of one of its runs about a day ago. If the clock is wrong, nothing is
   * destroyed because of it until the clock has been wrong for a day, which leaves time to notice; a deletion that is a day late does no
   * harm.
   *
   * @param now current time by the clock
   * @returns null if no run within the last three days is old enough: nothing may be destroyed yet
   */
  async witnessed(job: string, now: Date): Promise<Date | null> {
    const before = new Date(now.getTime() - WITNESS_MS);
    const row = await this.newestBefore.get(job, before, before);
    return row ? fromSqlTime(row.startedAt) : null;
  }

  /** Deletes runs older than three days. */
  @Job({ name: 'job-runs', dailyAt: '04:00' })
  async removeOld(): Promise<number> {
    return (await this.remove.run(new Date(this.clock.now().getTime() - KEPT_MS))).affected;
  }
}

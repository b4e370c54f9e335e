import { processName, type Clock } from '../../common/index.js';
import { fromSqlTime, type Database, type Statement } from '../../database/index.js';

import type { TaskProgress } from './background-queue.js';
import type { StartedTask } from './task-run.js';
import type { TaskSettings } from './task-settings.js';

const MAX_ERROR = 1_000;

/** A task run by this process; later statements about it apply only while `holder` is unchanged. */
export interface ClaimedTask extends StartedTask {
  readonly holder: string;
}

interface FoundTask {
  id: number;
  name: string;
  payload: string;
  attempts: number;
}

/**
 * Which process runs which task: rows are claimed, renewed, finished and reclaimed from crashed processes, each by a conditional update.
 */
export class TaskClaims {
  private readonly process = processName();
  private claims = 0;
  private readonly next;
  private readonly claimStatements = new Map<number, Statement>();
  private readonly mine;
  private readonly extend;
  private readonly write;
  private readonly finish;
  private readonly forget;
  private readonly postpone;
  private readonly noteTimeout;
  private readonly cancelledOnes;
  private readonly waitingUntil;
  private readonly makeReady;
  private readonly crashed;
  private readonly reclaim;
  private readonly exhaust;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: TaskSettings,
  ) {
    this.next = database.statement<FoundTask>(
      `SELECT {Task.id} AS id, {Task.name} AS name, {Task.payload} AS payload, {Task.attempts} AS attempts FROM {Task}
       WHERE {Task.name} = ? AND {Task.state} = 'waiting' AND {Task.ready} = 1
       ORDER BY {Task.priority}, {Task.dueAt}, {Task.id} LIMIT ?`,
    );
    this.mine = database.statement<{ id: number }>(
      `SELECT {Task.id} AS id FROM {Task} WHERE {Task.name} = ? AND {Task.state} = 'running' AND {Task.holder} = ?`,
    );
    const held = "WHERE {Task.id} = ? AND {Task.state} = 'running' AND {Task.holder} = ?";
    this.extend = database.statement(`UPDATE {Task} SET {Task.dueAt} = ? ${held}`);
    this.write = database.statement(`UPDATE {Task} SET {Task.progressDone} = ?, {Task.progressTotal} = ?, {Task.progressNote} = ? ${held}`);
    this.noteTimeout = database.statement(`UPDATE {Task} SET {Task.error} = ? ${held}`);
    this.finish = database.statement(
      `UPDATE {Task} SET {Task.state} = ?, {Task.dueAt} = ?, {Task.endedAt} = ?, {Task.openKey} = NULL, {Task.holder} = NULL,
        {Task.cancelAsked} = 0, {Task.error} = ?, {Task.result} = ? ${held}`,
    );
    this.forget = database.statement(`DELETE FROM {Task} ${held}`);
    this.postpone = database.statement(
      `UPDATE {Task} SET {Task.state} = 'waiting', {Task.ready} = 0, {Task.dueAt} = ?, {Task.holder} = NULL,
        {Task.attempts} = ?, {Task.error} = ? ${held}`,
    );
    this.cancelledOnes = database.statement<{ id: number; holder: string }>(
      "SELECT {Task.id} AS id, {Task.holder} AS holder FROM {Task} WHERE {Task.state} = 'running' " +
        'AND {Task.ready} = 1 AND {Task.cancelAsked} = 1',
    );
    this.waitingUntil = database.statement<{ dueAt: string }>(
      `SELECT {Task.dueAt} AS dueAt FROM {Task}
       WHERE {Task.state} = 'waiting' AND {Task.ready} = 0 ORDER BY {Task.dueAt} LIMIT 1`,
    );
    this.makeReady = database.statement(
      "UPDATE {Task} SET {Task.ready} = 1 WHERE {Task.state} = 'waiting' AND {Task.ready} = 0 AND {Task.dueAt} <= ?",
    );
    this.crashed = database.statement(
      "SELECT 1 AS dead FROM {Task} WHERE {Task.state} = 'running' AND {Task.ready} = 1 AND {Task.dueAt} < ? LIMIT 1",
    );
    this.reclaim = database.statement(
      `UPDATE {Task} SET {Task.state} = CASE WHEN {Task.cancelAsked} = 1 THEN 'cancelled' ELSE 'waiting' END,
        {Task.openKey} = CASE WHEN {Task.cancelAsked} = 1 THEN NULL ELSE {Task.openKey} END,
        {Task.endedAt} = CASE WHEN {Task.cancelAsked} = 1 THEN ? ELSE NULL END,
        {Task.cancelAsked} = 0, {Task.dueAt} = ?, {Task.holder} = NULL, {Task.error} = ?
       WHERE {Task.state} = 'running' AND {Task.ready} = 1 AND {Task.dueAt} < ?`,
    );
    this.exhaust = database.statement(
      `UPDATE {Task} SET {Task.state} = 'failed', {Task.dueAt} = ?, {Task.endedAt} = ?, {Task.openKey} = NULL
       WHERE {Task.id} = ? AND {Task.state} = 'waiting' AND {Task.attempts} = ?`,
    );
  }

  /**
   * Claims up to `limit` tasks of one name, in their order. Tasks whose last allowed attempt ended with a crash fail.
   *
   * @param attempts maximum attempts per task
   * @returns the claimed tasks, and whether more may be waiting
   */
  async claim(name: string, limit: number, attempts: number): Promise<{ claimed: ClaimedTask[]; more: boolean }> {
    const next = await this.next.all(name, limit);
    const found = next.filter((task) => task.attempts < attempts);
    for (const task of next) if (task.attempts >= attempts) await this.failExhausted(task);
    const more = next.length === limit;
    if (found.length === 0) return { claimed: [], more };
    this.claims += 1;
    const holder = `${this.process}:${this.claims}`;
    const now = this.clock.now();
    // In order of ids, so that two processes that claim the same rows cannot deadlock.
    const ids = found.map(({ id }) => id).sort((a, b) => a - b);
    const { affected } = await this.claimStatement(ids.length).run(holder, this.leaseEnd(now), now, ...ids);
    let mine = found;
    if (affected < found.length) {
      const taken = new Set(affected === 0 ? [] : (await this.mine.all(name, holder)).map(({ id }) => id));
      mine = found.filter(({ id }) => taken.has(id));
    }
    return {
      claimed: mine.map(({ id, payload, attempts: earlier }) => ({ id: String(id), name, payload, attempt: earlier + 1, holder })),
      more,
    };
  }

  /** Renews the lease of a running task. @returns false if it has been reclaimed meanwhile */
  async renew({ id, holder }: ClaimedTask): Promise<boolean> {
    return (await this.extend.run(this.leaseEnd(this.clock.now()), id, holder)).affected === 1;
  }

  /** Stores the progress. */
  async progress({ id, holder }: ClaimedTask, { done, total, note }: TaskProgress): Promise<void> {
    await this.write.run(done, total, note, id, holder);
  }

  /** Records that the task exceeded its timeout while it is still running. */
  async recordTimeout({ id, holder }: ClaimedTask, error: string): Promise<void> {
    await this.noteTimeout.run(error, id, holder);
  }

  /** Finishes a task permanently. @returns false if it has been reclaimed meanwhile */
  async end(
    { id, holder }: ClaimedTask,
    state: 'done' | 'failed' | 'cancelled',
    error: string | null,
    result: string | null,
  ): Promise<boolean> {
    const now = this.clock.now();
    return (await this.finish.run(state, now, now, error?.slice(0, MAX_ERROR) ?? null, result, id, holder)).affected === 1;
  }

  /** Finishes a task and deletes it. @returns false if it has been reclaimed meanwhile */
  async drop({ id, holder }: ClaimedTask): Promise<boolean> {
    return (await this.forget.run(id, holder)).affected === 1;
  }

  /** Schedules another attempt in `wait` milliseconds. @param attempts number of attempts to store */
  async again({ id, holder }: ClaimedTask, wait: number, attempts: number, error: string | null): Promise<boolean> {
    const dueAt = new Date(this.clock.now().getTime() + wait);
    return (await this.postpone.run(dueAt, attempts, error?.slice(0, MAX_ERROR) ?? null, id, holder)).affected === 1;
  }

  /** Returns running tasks of all processes that were cancelled. */
  async cancelled(): Promise<{ id: number; holder: string }[]> {
    return this.cancelledOnes.all();
  }

  /** Makes due tasks ready. @returns the due time of the next delayed task, null if none is delayed */
  async readyDue(): Promise<Date | null> {
    const now = this.clock.now();
    const first = await this.firstWaiting();
    if (!first || first > now) return first;
    await this.makeReady.run(now);
    return this.firstWaiting();
  }

  /** Reclaims tasks of crashed processes. @returns their number */
  async reclaimCrashed(): Promise<number> {
    const now = this.clock.now();
    const silentSince = new Date(now.getTime() - this.settings.skew);
    // Checked first: an update takes the write lock even if it changes nothing.
    if (!(await this.crashed.get(silentSince))) return 0;
    return (await this.reclaim.run(now, now, 'tasks.process_gone', silentSince)).affected;
  }

  private async failExhausted({ id, attempts }: FoundTask): Promise<void> {
    const now = this.clock.now();
    await this.exhaust.run(now, now, id, attempts);
  }

  private async firstWaiting(): Promise<Date | null> {
    return fromSqlTime((await this.waitingUntil.get())?.dueAt ?? null);
  }

  private leaseEnd(now: Date): Date {
    return new Date(now.getTime() + this.settings.lease);
  }

  private claimStatement(count: number): Statement {
    let statement = this.claimStatements.get(count);
    if (!statement) {
      statement = this.database.statement(
        `UPDATE {Task} SET {Task.state} = 'running', {Task.attempts} = {Task.attempts} + 1, {Task.holder} = ?, {Task.dueAt} = ?,
          {Task.startedAt} = ?,
          {Task.progressDone} = NULL, {Task.progressTotal} = NULL, {Task.progressNote} = NULL
         WHERE {Task.id} IN (${Array.from({ length: count }, () => '?').join(', ')}) AND {Task.state} = 'waiting' AND {Task.ready} = 1`,
      );
      this.claimStatements.set(count, statement);
    }
    return statement;
  }
}

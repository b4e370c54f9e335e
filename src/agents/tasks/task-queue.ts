import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, DEFAULT_LOCALE, translate } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { LEASE_SECONDS, MAX_ATTEMPTS, type TaskAction } from '../wire/index.js';

/** Expired leases per query. */
const BATCH = 200;
/** Rows per INSERT, far below the parameter limit of both database engines. */
const INSERT_ROWS = 80;

/** A claimed task. */
export interface ClaimedAgentTask {
  readonly id: number;
  readonly taskId: string;
  /** A {@link TaskAction} or the name of a server action. */
  readonly action: string;
  readonly payload: Record<string, unknown>;
  /** From 1. */
  readonly attempt: number;
  /** Deadline of an action; null for other tasks. */
  readonly deadline: Date | null;
  /** Secret arguments, encrypted for the row. */
  readonly sealed: string | null;
}

interface TaskRow {
  readonly id: number;
  readonly taskId: string;
  readonly action: string;
  readonly payload: string;
  readonly attempts: number;
  readonly deadline: string | null;
  readonly sealed: string | null;
}

interface LeaseRow {
  readonly id: number;
  readonly attempts: number;
  readonly deadline: string | null;
}

/** State of a task. */
export interface AgentTaskState {
  readonly id: number;
  readonly action: string;
  readonly status: string;
  readonly attempts: number;
}

/** Result of a task. */
export interface TaskEnd {
  readonly status: 'success' | 'failed';
  /** JSON text. */
  readonly result: string;
  readonly error: string;
}

/**
 * Queue of agent tasks: `pending` → `running` under a lease → `success` or `failed`. An expired lease returns the task to the queue; after
 * {@link MAX_ATTEMPTS} claims it becomes `failed`. A server action is delivered only once, because the caller checks for its effect before
 * a retry; it becomes `expired` when its lease or deadline ends. Every transition is one conditional update, so it happens once across
 * processes. The condition includes the attempt number, because a task may return to an earlier state.
 */
@Injectable()
export class TaskQueue {
  private readonly oldest;
  private readonly claimRow;
  private readonly endedOfNode;
  private readonly ended;
  private readonly running;
  private readonly endLeaseRow;
  private readonly putBackRow;
  private readonly failRow;
  private readonly giveBackRow;
  private readonly expireRow;
  private readonly expireWaiting;
  private readonly extendRow;
  private readonly finishRow;
  private readonly lateRow;
  private readonly find;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    const columns = `{NodeTask.id} AS id, {NodeTask.taskId} AS taskId, {NodeTask.action} AS action, {NodeTask.payload} AS payload,
      {NodeTask.attempts} AS attempts,
      {NodeTask.deadline} AS deadline, {NodeTask.sealed} AS sealed`;
    const inTime = '({NodeTask.deadline} IS NULL OR {NodeTask.deadline} > ?)';
    this.oldest = database.statement<TaskRow>(
      `SELECT ${columns} FROM {NodeTask} WHERE {NodeTask.nodeId} = ? AND {NodeTask.status} = 'pending' AND ${inTime} ORDER BY {NodeTask.id}
        LIMIT 1`,
    );
    this.claimRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'running', {NodeTask.attempts} = {NodeTask.attempts} + 1, {NodeTask.leaseUntil} = ?,
        {NodeTask.pulledAt} = ?
       WHERE {NodeTask.id} = ? AND {NodeTask.status} = 'pending' AND {NodeTask.attempts} = ?`,
    );
    const lease = '{NodeTask.id} AS id, {NodeTask.attempts} AS attempts, {NodeTask.deadline} AS deadline';
    const endedWhere = `{NodeTask.status} = 'running' AND {NodeTask.leaseUntil} <= ?`;
    this.endedOfNode = database.statement<LeaseRow>(
      `SELECT ${lease} FROM {NodeTask} WHERE {NodeTask.nodeId} = ? AND ${endedWhere} LIMIT ${BATCH}`,
    );
    this.ended = database.statement<LeaseRow>(
      `SELECT ${lease} FROM {NodeTask} WHERE ${endedWhere} ORDER BY {NodeTask.leaseUntil} LIMIT ${BATCH}`,
    );
    this.running = database.statement<LeaseRow & { readonly taskId: string }>(
      `SELECT ${lease}, {NodeTask.taskId} AS taskId FROM {NodeTask} WHERE {NodeTask.nodeId} = ? AND {NodeTask.status} = 'running'
        ORDER BY {NodeTask.id} LIMIT ${BATCH}`,
    );
    this.endLeaseRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.leaseUntil} = ? WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ?
        AND {NodeTask.status} = 'running'`,
    );
    this.putBackRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'pending', {NodeTask.leaseUntil} = NULL WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ?
        AND ${endedWhere}`,
    );
    this.giveBackRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'pending', {NodeTask.leaseUntil} = NULL, {NodeTask.attempts} = {NodeTask.attempts} - 1
       WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND {NodeTask.status} = 'running'`,
    );
    this.failRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'failed', {NodeTask.error} = ?, {NodeTask.finishedAt} = ?, {NodeTask.leaseUntil} = NULL
       WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND ${endedWhere}`,
    );
    this.expireRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'expired', {NodeTask.finishedAt} = ?, {NodeTask.leaseUntil} = NULL,
        {NodeTask.sealed} = NULL
       WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND ${endedWhere}`,
    );
    // They were never pulled; the callers have been notified.
    this.expireWaiting = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'expired', {NodeTask.finishedAt} = ?, {NodeTask.sealed} = NULL
       WHERE {NodeTask.status} = 'pending' AND {NodeTask.deadline} <= ?`,
    );
    this.extendRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.leaseUntil} = ?, {NodeTask.progress} = ? WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ?
        AND {NodeTask.status} = 'running'`,
    );
    // Pending with the same attempt number: the lease has expired and the task was not claimed again. A task repeated by an administrator
    // is also pending but has no pull time.
    this.finishRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = ?, {NodeTask.result} = ?, {NodeTask.error} = ?, {NodeTask.finishedAt} = ?,
        {NodeTask.leaseUntil} = NULL,
        {NodeTask.sealed} = NULL
       WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND {NodeTask.attempts} > 0
        AND ({NodeTask.status} = 'running' OR ({NodeTask.status} = 'pending' AND {NodeTask.pulledAt} IS NOT NULL))
        AND ${inTime}`,
    );
    this.lateRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'late', {NodeTask.result} = ?, {NodeTask.error} = ?, {NodeTask.finishedAt} = ?,
        {NodeTask.leaseUntil} = NULL,
        {NodeTask.sealed} = NULL
       WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND {NodeTask.attempts} > 0
        AND ({NodeTask.status} = 'expired' OR ({NodeTask.status} = 'running' AND {NodeTask.deadline} <= ?))`,
    );
    this.find = database.statement<AgentTaskState>(
      `SELECT {NodeTask.id} AS id, {NodeTask.action} AS action, {NodeTask.status} AS status, {NodeTask.attempts} AS attempts
       FROM {NodeTask} WHERE {NodeTask.taskId} = ? AND {NodeTask.nodeId} = ?`,
    );
  }

  /** Queues the same task for each node. @returns the task ids in the same order */
  async add(nodeIds: readonly string[], action: TaskAction, payload: object): Promise<string[]> {
    const taskIds = nodeIds.map(() => `task_${randomBytes(12).toString('hex')}`);
    const text = JSON.stringify(payload);
    const now = this.clock.now();
    for (let start = 0; start < nodeIds.length; start += INSERT_ROWS) {
      const rows = nodeIds.slice(start, start + INSERT_ROWS).flatMap((nodeId, i) => [taskIds[start + i]!, nodeId, action, text, now]);
      const places = Array.from({ length: rows.length / 5 }, () => "(?, ?, ?, ?, 'pending', ?)").join(', ');
      await this.database
        .statement(
          `INSERT INTO {NodeTask} ({NodeTask.taskId}, {NodeTask.nodeId}, {NodeTask.action}, {NodeTask.payload}, {NodeTask.status},
            {NodeTask.createdAt}) VALUES ${places}`,
        )
        .run(...rows);
    }
    return taskIds;
  }

  /** Claims the node's oldest task; null if there is none. */
  async claim(nodeId: string): Promise<ClaimedAgentTask | null> {
    const now = this.clock.now();
    await this.reclaim(await this.endedOfNode.all(nodeId, now), now);
    for (;;) {
      const row = await this.oldest.get(nodeId, now);
      if (!row) return null;
      const deadline = row.deadline === null ? null : fromSqlTime(row.deadline);
      const leaseUntil = new Date(Math.min(now.getTime() + LEASE_SECONDS * 1_000, deadline?.getTime() ?? Infinity));
      const { affected } = await this.claimRow.run(leaseUntil, now, row.id, row.attempts);
      // Another request claimed it, so the queue has become shorter and the loop ends.
      if (affected === 0) continue;
      return {
        id: row.id,
        taskId: row.taskId,
        action: row.action,
        payload: JSON.parse(row.payload) as Record<string, unknown>,
        attempt: row.attempts + 1,
        deadline,
        sealed: row.sealed,
      };
    }
  }

  /** Returns a claimed task to the queue because its agent disconnected before delivery. */
  async giveBack({ id, attempt }: ClaimedAgentTask): Promise<void> {
    await this.giveBackRow.run(id, attempt);
  }

  /** Expires the leases of tasks an agent no longer holds after a restart. */
  async endLeases(nodeId: string, held: ReadonlySet<unknown>): Promise<void> {
    const now = this.clock.now();
    const lost = (await this.running.all(nodeId)).filter(({ taskId }) => !held.has(taskId));
    for (const { id, attempts } of lost) await this.endLeaseRow.run(now, id, attempts);
    await this.reclaim(lost, now);
  }

  /** Requeues or fails all tasks with an expired lease. @returns how many */
  @Job({ name: 'node-leases', everyMinutes: 1 })
  async reclaimEnded(): Promise<number> {
    const now = this.clock.now();
    await this.expireWaiting.run(now, now);
    for (let reclaimed = 0; ;) {
      const rows = await this.ended.all(now);
      reclaimed += await this.reclaim(rows, now);
      if (rows.length < BATCH) return reclaimed;
    }
  }

  /** Returns the state of the node's task. */
  state(nodeId: string, taskId: string): Promise<AgentTaskState | undefined> {
    return this.find.get(taskId, nodeId);
  }

  /**
   * Renews the lease of an attempt to {@link LEASE_SECONDS} from now.
   *
   * @param progress see `NodeTask.progress`
   * @returns false if the task no longer belongs to this attempt
   */
  async extend(id: number, attempt: number, progress = ''): Promise<boolean> {
    const leaseUntil = new Date(this.clock.now().getTime() + LEASE_SECONDS * 1_000);
    return (await this.extendRow.run(leaseUntil, progress, id, attempt)).affected === 1;
  }

  /** Ends a task. @returns false if it has ended already or another attempt has started */
  async finish(id: number, attempt: number, end: TaskEnd): Promise<boolean> {
    const now = this.clock.now();
    const { affected } = await this.finishRow.run(end.status, end.result, end.error, now, id, attempt, now);
    return affected === 1;
  }

  /** Stores the report of an action that arrived after its deadline; no caller waits for it any more. */
  async noteLate(id: number, attempt: number, end: TaskEnd): Promise<void> {
    const now = this.clock.now();
    await this.lateRow.run(end.result, end.error, now, id, attempt, now);
  }

  private async reclaim(rows: readonly LeaseRow[], now: Date): Promise<number> {
    let reclaimed = 0;
    for (const { id, attempts, deadline } of rows) {
      const { affected } =
        deadline !== null
          ? await this.expireRow.run(now, id, attempts, now)
          : attempts < MAX_ATTEMPTS
            ? await this.putBackRow.run(id, attempts, now)
            : await this.failRow.run(translate(DEFAULT_LOCALE, 'node.task_lease_ran_out', { n: attempts }), now, id, attempts, now);
      reclaimed += affected;
    }
    return reclaimed;
  }
}

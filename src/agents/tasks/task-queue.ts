import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, DEFAULT_LOCALE, translate } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { LEASE_SECONDS, MAX_ATTEMPTS, type TaskAction } from '../wire/index.js';

import '../texts.js';

/** Ended leases that are looked at together. */
const BATCH = 200;
/** Rows of one insert: far below what either engine takes as parameters. */
const INSERT_ROWS = 80;

/** A task that was claimed. */
export interface ClaimedTask {
  readonly id: number;
  readonly taskId: string;
  readonly action: TaskAction;
  readonly payload: Record<string, unknown>;
  /** From 1. */
  readonly attempt: number;
}

interface TaskRow {
  readonly id: number;
  readonly taskId: string;
  readonly action: TaskAction;
  readonly payload: string;
  readonly attempts: number;
}

/** What became of a task that somebody reports on or asks about. */
export interface TaskState {
  readonly id: number;
  readonly action: TaskAction;
  readonly status: string;
  readonly attempts: number;
}

/** How a task ended. */
export interface TaskEnd {
  readonly status: 'success' | 'failed';
  /** JSON text. */
  readonly result: string;
  readonly error: string;
}

/**
 * The tasks of agents. `pending` → `running` under a lease → `success` or `failed`; a lease that ends puts the task back, and
 * after {@link MAX_ATTEMPTS} claims makes it `failed`. Every step is one conditional update, so it is taken once in any number
 * of processes; the number of the attempt is part of the condition, because a task may come back to the same state.
 */
@Injectable()
export class TaskQueue {
  private readonly oldest;
  private readonly claimRow;
  private readonly endedOfNode;
  private readonly ended;
  private readonly putBackRow;
  private readonly failRow;
  private readonly extendRow;
  private readonly finishRow;
  private readonly find;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    const columns = `{NodeTask.id} AS id, {NodeTask.taskId} AS taskId, {NodeTask.action} AS action, {NodeTask.payload} AS payload, {NodeTask.attempts} AS attempts`;
    this.oldest = database.statement<TaskRow>(
      `SELECT ${columns} FROM {NodeTask} WHERE {NodeTask.nodeId} = ? AND {NodeTask.status} = 'pending' ORDER BY {NodeTask.id} LIMIT 1`,
    );
    this.claimRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'running', {NodeTask.attempts} = {NodeTask.attempts} + 1, {NodeTask.leaseUntil} = ?, {NodeTask.pulledAt} = ?
       WHERE {NodeTask.id} = ? AND {NodeTask.status} = 'pending' AND {NodeTask.attempts} = ?`,
    );
    const endedWhere = `{NodeTask.status} = 'running' AND {NodeTask.leaseUntil} <= ?`;
    this.endedOfNode = database.statement<{ id: number; attempts: number }>(
      `SELECT {NodeTask.id} AS id, {NodeTask.attempts} AS attempts FROM {NodeTask} WHERE {NodeTask.nodeId} = ? AND ${endedWhere} LIMIT ${BATCH}`,
    );
    this.ended = database.statement<{ id: number; attempts: number }>(
      `SELECT {NodeTask.id} AS id, {NodeTask.attempts} AS attempts FROM {NodeTask} WHERE ${endedWhere} ORDER BY {NodeTask.leaseUntil} LIMIT ${BATCH}`,
    );
    this.putBackRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'pending', {NodeTask.leaseUntil} = NULL WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND ${endedWhere}`,
    );
    this.failRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = 'failed', {NodeTask.error} = ?, {NodeTask.finishedAt} = ?, {NodeTask.leaseUntil} = NULL
       WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND ${endedWhere}`,
    );
    this.extendRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.leaseUntil} = ? WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND {NodeTask.status} = 'running'`,
    );
    // Pending with the same number of attempts: the lease has ended and nobody has claimed the task since.
    this.finishRow = database.statement(
      `UPDATE {NodeTask} SET {NodeTask.status} = ?, {NodeTask.result} = ?, {NodeTask.error} = ?, {NodeTask.finishedAt} = ?, {NodeTask.leaseUntil} = NULL
       WHERE {NodeTask.id} = ? AND {NodeTask.attempts} = ? AND {NodeTask.attempts} > 0 AND {NodeTask.status} IN ('running', 'pending')`,
    );
    this.find = database.statement<TaskState>(
      `SELECT {NodeTask.id} AS id, {NodeTask.action} AS action, {NodeTask.status} AS status, {NodeTask.attempts} AS attempts
       FROM {NodeTask} WHERE {NodeTask.taskId} = ? AND {NodeTask.nodeId} = ?`,
    );
  }

  /** Adds the same work for each of these nodes. @returns the tasks' ids, in the same order */
  async add(nodeIds: readonly string[], action: TaskAction, payload: object): Promise<string[]> {
    const taskIds = nodeIds.map(() => `task_${randomBytes(12).toString('hex')}`);
    const text = JSON.stringify(payload);
    const now = this.clock.now();
    for (let start = 0; start < nodeIds.length; start += INSERT_ROWS) {
      const rows = nodeIds.slice(start, start + INSERT_ROWS).flatMap((nodeId, i) => [taskIds[start + i]!, nodeId, action, text, now]);
      const places = Array.from({ length: rows.length / 5 }, () => "(?, ?, ?, ?, 'pending', ?)").join(', ');
      await this.database
        .statement(
          `INSERT INTO {NodeTask} ({NodeTask.taskId}, {NodeTask.nodeId}, {NodeTask.action}, {NodeTask.payload}, {NodeTask.status}, {NodeTask.createdAt}) VALUES ${places}`,
        )
        .run(...rows);
    }
    return taskIds;
  }

  /** Claims the node's oldest task; null when there is none. */
  async claim(nodeId: string): Promise<ClaimedTask | null> {
    const now = this.clock.now();
    await this.settle(await this.endedOfNode.all(nodeId, now), now);
    for (;;) {
      const row = await this.oldest.get(nodeId);
      if (!row) return null;
      const leaseUntil = new Date(now.getTime() + LEASE_SECONDS * 1_000);
      const { affected } = await this.claimRow.run(leaseUntil, now, row.id, row.attempts);
      // Somebody else was first, so the queue has become shorter: this ends.
      if (affected === 0) continue;
      return {
        id: row.id,
        taskId: row.taskId,
        action: row.action,
        payload: JSON.parse(row.payload) as Record<string, unknown>,
        attempt: row.attempts + 1,
      };
    }
  }

  /** Puts back, or gives up, every task whose lease has ended. @returns how many */
  @Job({ name: 'node-leases', everyMinutes: 1 })
  async settleEnded(): Promise<number> {
    const now = this.clock.now();
    for (let settled = 0; ;) {
      const rows = await this.ended.all(now);
      settled += await this.settle(rows, now);
      if (rows.length < BATCH) return settled;
    }
  }

  /** The node's task of this id as it stands. */
  state(nodeId: string, taskId: string): Promise<TaskState | undefined> {
    return this.find.get(taskId, nodeId);
  }

  /** Lengthens the lease of an attempt to {@link LEASE_SECONDS} from now. @returns false when the task is not this attempt's any more */
  async extend(id: number, attempt: number): Promise<boolean> {
    const leaseUntil = new Date(this.clock.now().getTime() + LEASE_SECONDS * 1_000);
    return (await this.extendRow.run(leaseUntil, id, attempt)).affected === 1;
  }

  /** Ends a task. @returns false when it has ended already, or another attempt has begun */
  async finish(id: number, attempt: number, end: TaskEnd): Promise<boolean> {
    const { affected } = await this.finishRow.run(end.status, end.result, end.error, this.clock.now(), id, attempt);
    return affected === 1;
  }

  private async settle(rows: readonly { id: number; attempts: number }[], now: Date): Promise<number> {
    let settled = 0;
    for (const { id, attempts } of rows) {
      const { affected } =
        attempts < MAX_ATTEMPTS
          ? await this.putBackRow.run(id, attempts, now)
          : await this.failRow.run(translate(DEFAULT_LOCALE, 'node.task_lease_ran_out', { n: attempts }), now, id, attempts, now);
      settled += affected;
    }
    return settled;
  }
}

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { Database, legacySqlTime, Paginator } from '../../database/index.js';
import { Conditions, type PageQuery } from '../page-query.js';

/** Maximum length of payload and result in a list. */
const SHOWN = 4_000;
/** Maximum length for a single task, which covers any payload. */
const SHOWN_OF_ONE = 64_000;
/** Rows per DELETE, so that other writers do not wait long. */
const BATCH = 500;
/** Final states. */
const ENDED = ['success', 'failed', 'expired', 'late'];
const columnsOf = (
  shown: number,
): string => `{NodeTask}.{NodeTask.id} AS id, {NodeTask}.{NodeTask.taskId} AS taskId, {NodeTask}.{NodeTask.nodeId} AS nodeId,
  {NodeTask}.{NodeTask.action} AS action, {NodeTask}.{NodeTask.status} AS status,
  {NodeTask}.{NodeTask.attempts} AS attempts, SUBSTR({NodeTask}.{NodeTask.payload}, 1, ${shown}) AS payload,
  SUBSTR({NodeTask}.{NodeTask.result}, 1, ${shown}) AS result, {NodeTask}.{NodeTask.error} AS error,
  {NodeTask}.{NodeTask.createdAt} AS createdAt, {NodeTask}.{NodeTask.pulledAt} AS pulledAt, {NodeTask}.{NodeTask.finishedAt} AS finishedAt,
  {NodeTask}.{NodeTask.leaseUntil} AS leaseUntil, {NodeTask}.{NodeTask.deadline} AS deadline,
  {NodeTask}.{NodeTask.progress} AS progress`;
interface TaskLineRow {
  readonly id: number;
  readonly taskId: string;
  readonly nodeId: string;
  readonly action: string;
  readonly status: string;
  readonly attempts: number;
  readonly payload: string;
  readonly result: string | null;
  readonly error: string | null;
  readonly createdAt: string;
  readonly pulledAt: string | null;
  readonly finishedAt: string | null;
  readonly leaseUntil: string | null;
  readonly deadline: string | null;
  readonly progress: string;
}

/** A task as listed. */
export type TaskLine = Readonly<Record<string, string | number>> & {
  readonly action: string;
  readonly result_text: string;
  readonly error: string;
};

/** Lists tasks and removes old ones. */
@Injectable()
export class TaskList {
  private readonly list: Paginator<TaskLineRow>;
  private readonly one;
  private readonly countPending;
  private readonly removeOld;
  private readonly removeActions;

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {
    this.list = new Paginator(database, 'NodeTask', columnsOf(SHOWN));
    this.one = database.statement<TaskLineRow>(`SELECT ${columnsOf(SHOWN_OF_ONE)} FROM {NodeTask} WHERE {NodeTask}.{NodeTask.taskId} = ?`);
    this.countPending = database.statement<{ total: number }>(
      "SELECT COUNT(*) AS total FROM {NodeTask} WHERE {NodeTask.status} = 'pending'",
    );
    this.removeActions = database.statement(
      `DELETE FROM {NodeTask} WHERE {NodeTask.status} = ? AND {NodeTask.finishedAt} < ? AND {NodeTask.deadline} IS NOT NULL
        ORDER BY {NodeTask.id} LIMIT ${BATCH}`,
    );
    this.removeOld = database.statement(
      `DELETE FROM {NodeTask} WHERE {NodeTask.status} = ? AND {NodeTask.finishedAt} < ? ORDER BY {NodeTask.id} LIMIT ${BATCH}`,
    );
  }

  /** Returns a task; undefined if not found. */
  async find(taskId: string): Promise<TaskLine | undefined> {
    return (await this.lines(await this.one.all(taskId)))[0];
  }

  /** Always sorts by id, which is equivalent to the only other sortable column, the creation time. */
  async page(
    { page, limit, sortOrder }: PageQuery,
    filter: { nodeId?: string; status?: string; action?: string },
  ): Promise<{ total: number; rows: TaskLine[] }> {
    const { parts, params } = conditionsOf(filter);
    const { total, rows } = await this.list.page({
      conditions: parts,
      params,
      sort: null,
      direction: sortOrder,
      offset: (page - 1) * limit,
      limit,
    });
    return { total, rows: await this.lines(rows) };
  }

  /** Returns the number of pending tasks. */
  async pending(): Promise<number> {
    return Number((await this.countPending.get())!.total);
  }

  /** Removes tasks that ended before a moment. @returns how many */
  async removeEndedBefore(moment: Date): Promise<number> {
    let removed = 0;
    for (const status of ENDED) {
      for (let affected = BATCH; affected === BATCH; removed += affected) ({ affected } = await this.removeOld.run(status, moment));
    }
    return removed;
  }

  /** Like {@link removeEndedBefore} for actions only, which are far more numerous. */
  async removeActionsBefore(moment: Date): Promise<void> {
    for (const status of ENDED) {
      for (let affected = BATCH; affected === BATCH;) ({ affected } = await this.removeActions.run(status, moment));
    }
  }

  private async lines(rows: readonly TaskLineRow[]): Promise<TaskLine[]> {
    const ids = [...new Set(rows.map(({ nodeId }) => nodeId))];
    if (ids.length === 0) return [];
    const named = await this.database
      .statement<{ nodeId: string; name: string }>(
        `SELECT {AgentNode.nodeId} AS nodeId, {AgentNode.name} AS name FROM {AgentNode}
         WHERE {AgentNode.nodeId} IN (${ids.map(() => '?').join(', ')})`,
      )
      .all(...ids);
    const names = new Map(named.map(({ nodeId, name }) => [nodeId, name]));
    return rows.map((row) => this.line(row, names.get(row.nodeId) ?? row.nodeId));
  }

  private line(row: TaskLineRow, nodeName: string): TaskLine {
    const time = (text: string | null): string => legacySqlTime(text, this.config.timezone);
    return {
      id: String(row.id),
      task_id: row.taskId,
      node_id: row.nodeId,
      node_name: nodeName,
      action: row.action,
      status: row.status,
      attempts: row.attempts,
      progress: row.progress,
      payload_text: withoutHashes(row.payload),
      result_text: row.result ?? '',
      error: row.error ?? '',
      created_at: time(row.createdAt),
      pulled_at: time(row.pulledAt),
      finished_at: time(row.finishedAt),
      lease_until: time(row.leaseUntil),
      deadline: time(row.deadline),
    };
  }
}

function conditionsOf({ nodeId, status, action }: { nodeId?: string; status?: string; action?: string }): Conditions {
  const conditions = new Conditions();
  if (nodeId !== undefined) conditions.add('{NodeTask.nodeId} = ?', nodeId);
  if (status) conditions.add('{NodeTask.status} = ?', status);
  if (action)
    // A group is the part before the dot; `/` follows `.` in the character order.
    conditions.add('({NodeTask.action} = ? OR ({NodeTask.action} > ? AND {NodeTask.action} < ?))', action, `${action}.`, `${action}/`);
  return conditions;
}

/** Masks the hashes of folder passwords, which must not be shown. The text may be truncated anywhere. */
function withoutHashes(payload: string): string {
  return payload.replaceAll(/"hash":"(?:[^"\\]|\\.)*"?/g, '"hash":"***"');
}

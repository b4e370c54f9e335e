import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { Conditions, readPage, type PageQuery } from '../agents/page-query.js';

/** Characters of payload and result that a list shows. */
const SHOWN = 4_000;
/** Tasks removed by one statement: no writer waits long for it. */
const BATCH = 500;
const COLUMNS = `t.{NodeTask.id} AS id, t.{NodeTask.taskId} AS taskId, t.{NodeTask.nodeId} AS nodeId, t.{NodeTask.action} AS action, t.{NodeTask.status} AS status,
  t.{NodeTask.attempts} AS attempts, SUBSTR(t.{NodeTask.payload}, 1, ${SHOWN}) AS payload, SUBSTR(t.{NodeTask.result}, 1, ${SHOWN}) AS result, t.{NodeTask.error} AS error,
  t.{NodeTask.createdAt} AS createdAt, t.{NodeTask.pulledAt} AS pulledAt, t.{NodeTask.finishedAt} AS finishedAt, t.{NodeTask.leaseUntil} AS leaseUntil`;
// Tasks get their ids in the order of their creation.
const SORTS: ReadonlyMap<string, string> = new Map([['created_at', 't.{NodeTask.id}']]);

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
}

/** Lists tasks for people, and takes old ones away. */
@Injectable()
export class TaskList {
  private readonly countPending;
  private readonly removeOld;

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {
    this.countPending = database.statement<{ total: number }>("SELECT COUNT(*) AS total FROM {NodeTask} WHERE {NodeTask.status} = 'pending'");
    this.removeOld = database.statement(
      `DELETE FROM {NodeTask} WHERE {NodeTask.status} = ? AND {NodeTask.finishedAt} < ? ORDER BY {NodeTask.id} LIMIT ${BATCH}`,
    );
  }

  async page(query: PageQuery, filter: { nodeId?: string; status?: string; action?: string }): Promise<{ total: number; rows: object[] }> {
    const conditions = new Conditions();
    if (filter.nodeId !== undefined) conditions.add('t.{NodeTask.nodeId} = ?', filter.nodeId);
    if (filter.status) conditions.add('t.{NodeTask.status} = ?', filter.status);
    if (filter.action) conditions.add('t.{NodeTask.action} = ?', filter.action);
    const { total, rows } = await readPage<TaskLineRow>(this.database, query, { columns: COLUMNS, from: '{NodeTask} t', conditions, sorts: SORTS, id: 't.{NodeTask.id}' });
    return { total, rows: rows.map((row) => this.line(row)) };
  }

  /** Tasks that wait for their agents. */
  async pending(): Promise<number> {
    return Number((await this.countPending.get())!.total);
  }

  /** Removes tasks that ended before a moment. @returns how many */
  async removeEndedBefore(moment: Date): Promise<number> {
    let removed = 0;
    for (const status of ['success', 'failed']) {
      for (let affected = BATCH; affected === BATCH; removed += affected) ({ affected } = await this.removeOld.run(status, moment));
    }
    return removed;
  }

  private line(row: TaskLineRow): object {
    const time = (text: string | null): string => (text === null ? '' : legacyTime(fromSqlTime(text), this.config.timezone));
    return {
      id: String(row.id),
      task_id: row.taskId,
      node_id: row.nodeId,
      action: row.action,
      status: row.status,
      attempts: row.attempts,
      payload_text: row.payload,
      result_text: row.result ?? '',
      error: row.error ?? '',
      created_at: time(row.createdAt),
      pulled_at: time(row.pulledAt),
      finished_at: time(row.finishedAt),
      lease_until: time(row.leaseUntil),
    };
  }
}

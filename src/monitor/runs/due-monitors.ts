import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, type EntityRows } from '../../database/index.js';
import { MonitorTask } from '../entities/index.js';

/** Maximum number of monitors claimed at a time. */
export const BATCH = 100;

/**
 * Duration of a claim in milliseconds: the longest check, storing its result, and some clock difference. Afterwards the claiming process is
 * considered crashed and the check is repeated.
 */
export const CLAIM_MS = 60_000;

const MARKS = Array.from({ length: BATCH }, () => '?').join(', ');
const FREE =
  '{MonitorTask.enabled} = 1 AND {MonitorTask.nextRunAt} <= ? AND ({MonitorTask.claimedUntil} IS NULL OR {MonitorTask.claimedUntil} < ?)';

/** Claims due monitors, each for one process. */
@Injectable()
export class DueMonitors {
  private readonly rows: EntityRows<MonitorTask>;
  private readonly due;
  private readonly take;
  private readonly taken;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.rows = database.entityRows(MonitorTask);
    this.due = database.statement<{ id: number }>(
      `SELECT {MonitorTask.id} AS id FROM {MonitorTask} WHERE ${FREE} ORDER BY {MonitorTask.nextRunAt} LIMIT ?`,
    );
    this.take = database.statement(
      `UPDATE {MonitorTask} SET {MonitorTask.claim} = ?, {MonitorTask.claimedUntil} = ? WHERE {MonitorTask.id} IN (${MARKS}) AND ${FREE}`,
    );
    this.taken = database.statement(`SELECT ${this.rows.columns} FROM {MonitorTask} WHERE {MonitorTask.claim} = ?`);
  }

  /**
   * Claims due monitors, longest overdue first.
   *
   * @param max at most {@link BATCH}
   * @returns the claimed monitors, and whether there may be more
   */
  async claim(max: number): Promise<{ tasks: MonitorTask[]; more: boolean }> {
    const now = this.clock.now();
    const found = await this.due.all(now, now, max);
    if (found.length === 0) return { tasks: [], more: false };
    const claim = randomUUID();
    const ids = Array.from({ length: BATCH }, (_, at) => found[at]?.id ?? 0);
    // In its own transaction, which is retried on a deadlock with another process.
    const { affected } = await this.database.transaction(() => this.take.run(claim, new Date(now.getTime() + CLAIM_MS), ...ids, now, now));
    const tasks = affected === 0 ? [] : (await this.taken.all(claim)).map((row) => this.rows.read(row));
    return { tasks, more: found.length === max };
  }
}

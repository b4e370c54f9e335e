import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime, toSqlTime } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import type { StatUnit } from '../entities/index.js';

import { KEPT_MS, LOG_KEPT_MS, UNIT_MS, beginOf } from './units.js';

/** Delay before a minute is aggregated, in milliseconds, because results are stored within seconds. */
const GRACE_MS = 60_000;
/** Monitors per aggregation statement. */
const TASKS_AT_ONCE = 500;
/** Rows per DELETE. */
const ROWS_AT_ONCE = 2_000;

const SUMS = `SUM({MonitorStat.checks}), SUM({MonitorStat.oks}), SUM({MonitorStat.timed}), SUM({MonitorStat.msTotal}),
  MAX({MonitorStat.msMost})`;
const COLUMNS = `{MonitorStat.taskId}, {MonitorStat.unit}, {MonitorStat.at}, {MonitorStat.checks}, {MonitorStat.oks}, {MonitorStat.timed},
  {MonitorStat.msTotal}, {MonitorStat.msMost}`;

/**
 * Aggregates checks per minute, minutes per hour and hours per day, and deletes old data. Each period is aggregated once, also after an
 * interrupted run or with several processes.
 */
@Injectable()
export class RollUps {
  private readonly newest;
  private readonly oldestCheck;
  private readonly oldestStat;
  private readonly minute;
  private readonly sum;
  private readonly highestTask;
  private readonly firstCheck;
  private readonly removeChecks;
  private readonly removeStats;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    const ignore = database.insertIgnore;
    this.newest = database.statement<{ at: string | null }>(
      'SELECT MAX({MonitorStat.at}) AS at FROM {MonitorStat} WHERE {MonitorStat.unit} = ?',
    );
    this.oldestCheck = database.statement<{ at: string | null }>(
      'SELECT MIN({MonitorCheck.createdAt}) AS at FROM {MonitorCheck} WHERE {MonitorCheck.createdAt} >= ?',
    );
    this.oldestStat = database.statement<{ at: string | null }>(
      'SELECT MIN({MonitorStat.at}) AS at FROM {MonitorStat} WHERE {MonitorStat.unit} = ? AND {MonitorStat.at} >= ?',
    );
    const timed = "{MonitorCheck.status} = 'ok' AND {MonitorCheck.responseTime} IS NOT NULL";
    this.minute = database.statement(
      `${ignore} {MonitorStat} (${COLUMNS}) SELECT {MonitorCheck.taskId}, 'm', ?, COUNT(*),
        SUM(CASE WHEN {MonitorCheck.status} = 'ok' THEN 1 ELSE 0 END),
       SUM(CASE WHEN ${timed} THEN 1 ELSE 0 END), SUM(CASE WHEN ${timed} THEN {MonitorCheck.responseTime} ELSE 0 END),
       MAX(CASE WHEN ${timed} THEN {MonitorCheck.responseTime} ELSE 0 END)
       FROM {MonitorCheck} WHERE {MonitorCheck.createdAt} >= ? AND {MonitorCheck.createdAt} < ? GROUP BY {MonitorCheck.taskId}`,
    );
    this.sum = database.statement(
      `${ignore} {MonitorStat} (${COLUMNS}) SELECT {MonitorStat.taskId}, ?, ?, ${SUMS} FROM {MonitorStat}
       WHERE {MonitorStat.taskId} > ? AND {MonitorStat.taskId} <= ? AND {MonitorStat.unit} = ? AND {MonitorStat.at} >= ?
       AND {MonitorStat.at} < ?
       GROUP BY {MonitorStat.taskId}`,
    );
    this.highestTask = database.statement<{ id: number | null }>('SELECT MAX({MonitorTask.id}) AS id FROM {MonitorTask}');
    this.firstCheck = database.statement<{ id: number | null }>(
      'SELECT MIN({MonitorCheck.id}) AS id FROM {MonitorCheck} WHERE {MonitorCheck.createdAt} < ?',
    );
    this.removeChecks = database.statement('DELETE FROM {MonitorCheck} WHERE {MonitorCheck.id} < ? AND {MonitorCheck.createdAt} < ?');
    this.removeStats = database.statement(
      'DELETE FROM {MonitorStat} WHERE {MonitorStat.unit} = ? AND {MonitorStat.at} >= ? AND {MonitorStat.at} < ?',
    );
  }

  /** Aggregates completed periods. @returns number of aggregated periods */
  @Job({ name: 'monitor-stats', everyMinutes: 1, catchUp: true })
  async addUp({ signal }: Pick<JobTurn, 'signal'> = { signal: new AbortController().signal }): Promise<number> {
    const until = new Date(this.clock.now().getTime() - GRACE_MS);
    let pieces = await this.addUpTo('m', until, signal, (at, end) => this.minute.run(at, at, end));
    for (const [unit, of] of [
      ['h', 'm'],
      ['d', 'h'],
    ] as const) {
      pieces += await this.addUpTo(unit, until, signal, (at, end) => this.sumUp(unit, of, at, end));
    }
    return pieces;
  }

  /** Deletes old checks and aggregates in batches. @returns number of rows */
  @Job({ name: 'monitor-retention', everyMinutes: 60, catchUp: true })
  async removeOld({ signal }: Pick<JobTurn, 'signal'> = { signal: new AbortController().signal }): Promise<number> {
    const now = this.clock.now().getTime();
    let removed = 0;
    const cutoff = new Date(now - LOG_KEPT_MS);
    for (let first = await this.firstOld(cutoff); first !== null && !signal.aborted; first = await this.firstOld(cutoff)) {
      removed += (await this.removeChecks.run(first + ROWS_AT_ONCE, cutoff)).affected;
    }
    for (const unit of ['m', 'h', 'd'] as const) {
      const until = beginOf(unit, new Date(now - KEPT_MS[unit]));
      for (let at = await this.oldest(unit); at && at < until && !signal.aborted; at = await this.oldest(unit)) {
        removed += (await this.removeStats.run(unit, at, new Date(at.getTime() + UNIT_MS[unit]))).affected;
      }
    }
    return removed;
  }

  /** Continues at the last aggregated period, which is processed again in case it was interrupted; existing rows stay. */
  private async addUpTo(unit: StatUnit, until: Date, signal: AbortSignal, add: (at: Date, end: Date) => Promise<unknown>): Promise<number> {
    let pieces = 0;
    const newest = timeOf(await this.newest.get(unit));
    const from = newest ?? new Date(0);
    for (
      let at = await this.nextPiece(unit, from);
      at && !signal.aborted;
      at = await this.nextPiece(unit, new Date(at.getTime() + UNIT_MS[unit]))
    ) {
      const end = new Date(at.getTime() + UNIT_MS[unit]);
      if (end > until) break;
      await add(at, end);
      if (at.getTime() !== newest?.getTime()) pieces += 1;
    }
    return pieces;
  }

  /** Returns the first period with data from a time on. */
  private async nextPiece(unit: StatUnit, from: Date): Promise<Date | null> {
    const found = unit === 'm' ? await this.oldestCheck.get(from) : await this.oldestStat.get(unit === 'h' ? 'm' : 'h', from);
    const at = timeOf(found);
    return at && beginOf(unit, at);
  }

  private async sumUp(unit: StatUnit, of: StatUnit, at: Date, end: Date): Promise<void> {
    const highest = (await this.highestTask.get())?.id ?? 0;
    for (let after = 0; after < highest; after += TASKS_AT_ONCE) await this.sum.run(unit, at, after, after + TASKS_AT_ONCE, of, at, end);
  }

  private async firstOld(cutoff: Date): Promise<number | null> {
    return (await this.firstCheck.get(cutoff))?.id ?? null;
  }

  private async oldest(unit: StatUnit): Promise<Date | null> {
    return timeOf(await this.oldestStat.get(unit, toSqlTime(new Date(0))));
  }
}

const timeOf = (row: { at: string | null } | undefined): Date | null => fromSqlTime(row?.at ?? null);

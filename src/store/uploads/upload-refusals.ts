import { Injectable } from '@nestjs/common';

import { DAY_MS, AppError, Clock, errorMessage, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { StoreError } from '../errors.js';

const log = loggerFor('store');
/** Days a count is kept. */
const RETENTION_DAYS = 90;

/** Number of uploads rejected by a rule. */
export interface RefusalCount {
  /** Text key of the rejection, such as `packages.path_traversal`. */
  readonly rule: string;
  readonly count: number;
}

/** Counts rejected uploads per rule and day, to show which rules cause the most trouble. */
@Injectable()
export class UploadRefusals {
  private readonly add;
  private readonly sums;
  private readonly deleteBefore;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.add = database.statement(
      `INSERT INTO {StoreRefusalDay} ({StoreRefusalDay.day}, {StoreRefusalDay.rule}, {StoreRefusalDay.refusals}) VALUES (?, ?, 1)
       ${database.onConflict('day', 'rule')} {StoreRefusalDay.refusals} = {StoreRefusalDay.refusals} + 1`,
    );
    this.sums = database.statement<{ rule: string; n: number }>(
      `SELECT {StoreRefusalDay.rule} AS rule, SUM({StoreRefusalDay.refusals}) AS n FROM {StoreRefusalDay} WHERE {StoreRefusalDay.day} >= ?
       GROUP BY {StoreRefusalDay.rule} ORDER BY n DESC, rule`,
    );
    this.deleteBefore = database.statement('DELETE FROM {StoreRefusalDay} WHERE {StoreRefusalDay.day} < ?');
  }

  /** Runs `work`, which processes an upload, and counts the rule that rejects it, if any. */
  async counting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const rule = ruleOf(error);
      // A failure to count must not affect the upload.
      if (rule !== null)
        await this.add
          .run(this.dayOf(0), rule.slice(0, 60))
          .catch((cause: unknown) => log.warn({ reason: errorMessage(cause) }, 'a rejected upload could not be counted'));
      throw error;
    }
  }

  /** Returns the counts of the last days including today, most frequent rule first. */
  async ofLast(days: number): Promise<RefusalCount[]> {
    return (await this.sums.all(this.dayOf(days - 1))).map(({ rule, n }) => ({ rule, count: Number(n) }));
  }

  /** Deletes counts older than 90 days. */
  @Job({ name: 'store-refusals-sweep', dailyAt: '04:50' })
  async removeOld(): Promise<void> {
    await this.deleteBefore.run(this.dayOf(RETENTION_DAYS));
  }

  private dayOf(daysAgo: number): string {
    return new Date(this.clock.now().getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  }
}

/** Returns null for errors that are not rule violations: aborted transfers, missing items, server errors. */
function ruleOf(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  const isRule =
    !(error instanceof StoreError) || (error.shape.status === 400 && error.code !== 'BODY_MALFORMED') || error.shape.status === 413;
  return isRule ? error.shape.text : null;
}

import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';

/** Wrong keys one address may send in a window. */
export const MAX_FAILED_KEYS = 20;
/** Length of the window. */
export const FAILED_KEYS_WINDOW_MS = 10 * 60_000;

/** Counts wrong keys by address, as rows: every process counts the same. Off with `RATE_LIMIT=off`. */
@Injectable()
export class FailedKeys {
  private readonly find;
  private readonly count;

  constructor(
    database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.find = database.statement<{ resetsAt: string }>(
      `SELECT {RateLimit.resetsAt} AS resetsAt FROM {RateLimit}
       WHERE {RateLimit.key} = ? AND {RateLimit.count} >= ? AND {RateLimit.resetsAt} > ?`,
    );
    // The count comes first: MySQL evaluates the assignments in order and would see the new end of the window.
    this.count = database.statement(
      `INSERT INTO {RateLimit} ({RateLimit.key}, {RateLimit.count}, {RateLimit.resetsAt}) VALUES (?, 1, ?)
       ${database.onConflict('key')}
       {RateLimit.count} = CASE WHEN {RateLimit.resetsAt} <= ? THEN 1 ELSE {RateLimit.count} + 1 END,
       {RateLimit.resetsAt} = CASE WHEN {RateLimit.resetsAt} <= ? THEN ? ELSE {RateLimit.resetsAt} END`,
    );
  }

  /** Whole minutes the address has to wait; 0 when it may try. */
  async blockedMinutes(ip: string): Promise<number> {
    if (!this.config.rateLimit) return 0;
    const now = this.clock.now();
    const row = await this.find.get(keyOf(ip), MAX_FAILED_KEYS, now);
    if (!row) return 0;
    return Math.ceil((Date.parse(`${row.resetsAt.replace(' ', 'T')}Z`) - now.getTime()) / 60_000);
  }

  /** Counts one wrong key. */
  async failed(ip: string): Promise<void> {
    const now = this.clock.now();
    const end = new Date(now.getTime() + FAILED_KEYS_WINDOW_MS);
    await this.count.run(keyOf(ip), end, now, now, end);
  }
}

function keyOf(ip: string): string {
  return `api:key:${ip.slice(0, 64)}`;
}

import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, fromSqlTime } from '../database/index.js';
import { Job } from '../jobs/index.js';

const MAX_KEY_LENGTH = 190;
/** Readable characters kept of a longer key; the hash appended to them has 69. */
const MAX_PLAIN = 110;

/** Result of counting an attempt. */
export interface RateVerdict {
  readonly allowed: boolean;
  /** Whole seconds until the window ends; 0 if the attempt is allowed. */
  readonly retryAfterSeconds: number;
}

const ALLOWED: RateVerdict = { allowed: true, retryAfterSeconds: 0 };

/** Counts attempts in windows stored as rows, so that the limit is shared by all processes. */
@Injectable()
export class RateLimiter {
  private readonly increment;
  private readonly find;
  private readonly subtract;
  private readonly remove;
  private readonly sweep;

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    // A single statement counts and starts a new window after the old one has ended, so that there is no race.
    this.increment = database.statement(
      `INSERT INTO {RateLimit} ({RateLimit.key}, {RateLimit.count}, {RateLimit.resetsAt}, {RateLimit.most}) VALUES (?, 1, ?, ?)
       ${database.onConflict('key')} {RateLimit.most} = ?,
       {RateLimit.count} = CASE WHEN {RateLimit.resetsAt} <= ? THEN 1 ELSE {RateLimit.count} + 1 END,
       {RateLimit.resetsAt} = CASE WHEN {RateLimit.resetsAt} <= ? THEN ? ELSE {RateLimit.resetsAt} END`,
    );
    this.find = database.statement<{ count: number; resetsAt: string }>(
      'SELECT {RateLimit.count} AS count, {RateLimit.resetsAt} AS resetsAt FROM {RateLimit} WHERE {RateLimit.key} = ?',
    );
    this.subtract = database.statement(
      'UPDATE {RateLimit} SET {RateLimit.count} = {RateLimit.count} - 1 WHERE {RateLimit.key} = ? AND {RateLimit.count} > 0',
    );
    this.remove = database.statement('DELETE FROM {RateLimit} WHERE {RateLimit.key} = ?');
    this.sweep = database.statement('DELETE FROM {RateLimit} WHERE {RateLimit.resetsAt} <= ?');
  }

  /** Whether limits are enabled (`RATE_LIMIT`). */
  get isOn(): boolean {
    return this.config.rateLimit;
  }

  /** Counts one attempt of `key` and returns whether it is within the limit. Everything passes while RATE_LIMIT is off. */
  async hit(key: string, rule: { limit: number; windowSeconds: number }): Promise<RateVerdict> {
    if (!this.config.rateLimit) return ALLOWED;
    const now = this.clock.now();
    const row = await this.add(key, rule, now, rule.limit);
    return Number(row?.count ?? 0) <= rule.limit ? ALLOWED : refusedUntil(row!.resetsAt, now);
  }

  /** As {@link hit}, but returns the number of the attempt in the window, from 1. 0 while RATE_LIMIT is off. */
  async count(key: string, rule: { windowSeconds: number }): Promise<number> {
    return this.config.rateLimit ? Number((await this.add(key, rule, this.clock.now(), null))?.count ?? 0) : 0;
  }

  /**
   * Returns whether another attempt of `key` would be within the limit, without counting it. For attempts that only count when they fail.
   */
  async peek(key: string, rule: { limit: number }): Promise<RateVerdict> {
    if (!this.config.rateLimit) return ALLOWED;
    const now = this.clock.now();
    const row = await this.find.get(storedKey(key));
    if (!row || Number(row.count) < rule.limit || fromSqlTime(row.resetsAt) <= now) return ALLOWED;
    return refusedUntil(row.resetsAt, now);
  }

  /** Uncounts one attempt of `key`. */
  async takeBack(key: string): Promise<void> {
    await this.subtract.run(storedKey(key));
  }

  /** Clears the attempts of `key`. */
  async clear(key: string): Promise<void> {
    await this.remove.run(storedKey(key));
  }

  /** Removes ended windows; run by the cron tick. */
  @Job({ name: 'rate-windows', everyMinutes: 15 })
  async removeEnded(): Promise<void> {
    await this.sweep.run(this.clock.now());
  }

  private add(
    key: string,
    rule: { windowSeconds: number },
    now: Date,
    most: number | null,
  ): Promise<{ count: number; resetsAt: string } | undefined> {
    const stored = storedKey(key);
    const resetsAt = new Date(now.getTime() + rule.windowSeconds * 1_000);
    return this.database.transaction(async () => {
      await this.increment.run(stored, resetsAt, most, most, now, now, resetsAt);
      return this.find.get(stored);
    });
  }
}

function refusedUntil(resetsAt: string, now: Date): RateVerdict {
  const left = Math.ceil((fromSqlTime(resetsAt).getTime() - now.getTime()) / 1_000);
  return { allowed: false, retryAfterSeconds: Math.max(1, left) };
}

/** Separator of the parts of a key. */
const PART_END = ':';

/**
 * Keys may contain user input: long or unusual keys are hashed. The leading parts, which name the kind of limit and the
 * address, stay readable.
 */
function storedKey(key: string): string {
  if (key.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  const plain = /^[\x21-\x7e]*/.exec(key)![0].slice(0, MAX_PLAIN);
  const parts = plain.slice(0, plain.lastIndexOf(PART_END) + 1);
  return `${parts}hash:${createHash('sha256').update(key).digest('hex')}`;
}

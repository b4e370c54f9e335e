import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, fromSqlTime, Generations, likeText, type SqlValue } from '../database/index.js';

import { addressForLimits } from './client-address.js';
import { FailureLimits } from './failure-limits.js';
import { RateGate } from './rate-gate.js';

const GENERATION = 'rate-limits';
/** An address within a rate limit key. For IPv6 it is a network, whose colons do not separate parts. */
const ADDRESS = /(?:^|:)((?:\d{1,3}\.){3}\d{1,3}|[0-9a-f:]+\/64)(?=$|:)/;

/** The count of one rate limit window. */
export interface CountedTry {
  /** The rate limit key, such as `login:user:pair:203.0.113.7:alice01`. */
  readonly key: string;
  /** The address or network in the key; empty if none. */
  readonly address: string;
  readonly count: number;
  /** Count from which on attempts are rejected; null without a limit. */
  readonly most: number | null;
  readonly endsAt: Date;
}

/** Filter of the counts. */
export interface TriesFilter {
  /** Counts of an address or its network. */
  readonly ip?: string;
  /** Only exceeded limits. */
  readonly held?: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Lists rate limit counts for administrators and clears them. Only windows stored as rows; one-minute windows are kept in the memory of
 * each process.
 */
@Injectable()
export class CountedTries {
  private readonly removeOne;

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly clock: Clock,
    private readonly failures: FailureLimits,
    private readonly gate: RateGate,
  ) {
    this.removeOne = database.statement('DELETE FROM {RateLimit} WHERE {RateLimit.key} = ?');
  }

  /** Starts following counts cleared by other processes. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, async () => this.forgetMemory());
  }

  /** Returns open windows with at least one attempt, those that end last first. */
  async list({ ip, held, offset, limit }: TriesFilter): Promise<{ total: number; rows: CountedTry[] }> {
    // Attempts that were taken back count zero, and so does the row the panel uses to check that it can write.
    const conditions = ['{RateLimit.resetsAt} > ?', '{RateLimit.count} > 0'];
    const params: SqlValue[] = [this.clock.now()];
    if (ip) {
      conditions.push(OF_ADDRESS);
      params.push(...addressPatterns(ip));
    }
    if (held) conditions.push('{RateLimit.count} >= {RateLimit.most}');
    const where = conditions.join(' AND ');
    const counted = await this.database.statement<{ n: number }>(`SELECT COUNT(*) AS n FROM {RateLimit} WHERE ${where}`).get(...params);
    const rows = await this.database
      .statement<{ key: string; count: number; most: number | null; resetsAt: string }>(
        `SELECT {RateLimit.key} AS \`key\`, {RateLimit.count} AS count, {RateLimit.most} AS most, {RateLimit.resetsAt} AS resetsAt
         FROM {RateLimit} WHERE ${where} ORDER BY {RateLimit.resetsAt} DESC, {RateLimit.key} LIMIT ? OFFSET ?`,
      )
      .all(...params, limit, offset);
    return {
      total: Number(counted?.n ?? 0),
      rows: rows.map(({ key, count, most, resetsAt }) => ({
        key,
        address: ADDRESS.exec(key)?.[1] ?? '',
        count: Number(count),
        most: most === null ? null : Number(most),
        endsAt: fromSqlTime(resetsAt),
      })),
    };
  }

  /** Clears one count, in every process. @returns false if it does not exist */
  async forget(key: string): Promise<boolean> {
    const { affected } = await this.removeOne.run(key);
    await this.resetEverywhere();
    return affected > 0;
  }

  /** Clears all counts of an address, for IPv6 of its /64 network, in every process. @returns the number of counts */
  async forgetAddress(ip: string): Promise<number> {
    const { affected } = await this.database.statement(`DELETE FROM {RateLimit} WHERE ${OF_ADDRESS}`).run(...addressPatterns(ip));
    await this.resetEverywhere();
    return affected;
  }

  private async resetEverywhere(): Promise<void> {
    this.forgetMemory();
    await this.generations.bump(GENERATION);
    await this.generations.catchUp(GENERATION);
  }

  private forgetMemory(): void {
    this.failures.clearCache();
    this.gate.reset();
  }
}

const OF_ADDRESS = `({RateLimit.key} LIKE ? ESCAPE '!' OR {RateLimit.key} LIKE ? ESCAPE '!')`;

/** Matches the address at the end of a key, or followed by another part. */
function addressPatterns(ip: string): [string, string] {
  const address = likeText(addressForLimits(ip.trim()));
  return [`%:${address}`, `%:${address}:%`];
}

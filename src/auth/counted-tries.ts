import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, fromSqlTime, Generations, likeText, type SqlValue } from '../database/index.js';

import { addressForLimits } from './client-address.js';
import { FailureLimits } from './failure-limits.js';
import { RateGate } from './rate-gate.js';

const GENERATION = 'rate-limits';
/** An address as limits count it, somewhere in a key. Of IPv6 it is a network, whose colons are no ends of parts. */
const ADDRESS = /(?:^|:)((?:\d{1,3}\.){3}\d{1,3}|[0-9a-f:]+\/64)(?=$|:)/;

/** A count of one window. */
export interface CountedTry {
  /** What is counted, such as `login:user:pair:203.0.113.7:alice01`. */
  readonly key: string;
  /** The address or network in it; empty where none is. */
  readonly address: string;
  readonly count: number;
  /** What is refused from there on; null where nothing is. */
  readonly most: number | null;
  readonly endsAt: Date;
}

/** Which counts. */
export interface TriesWanted {
  /** Of an address or its network. */
  readonly ip?: string;
  /** Only what is refused at present. */
  readonly held?: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * What limits have counted, for administrators: who is held back, and letting him go. Only windows that are kept as rows; those of a minute
 * are in the memory of each process.
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

  /** From now on what another process forgets is forgotten here. */
  async start(): Promise<void> {
    await this.generations.follow(GENERATION, async () => this.forgetMemory());
  }

  /** Windows that are open and have counted something, those that end last first. */
  async list({ ip, held, offset, limit }: TriesWanted): Promise<{ total: number; rows: CountedTry[] }> {
    // What was taken back counts nothing, and the row by which the panel finds out whether it can write never did.
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

  /** Forgets one count, in every process. @returns false where there is none of that name */
  async forget(key: string): Promise<boolean> {
    const { affected } = await this.removeOne.run(key);
    await this.tellEverybody();
    return affected > 0;
  }

  /** Forgets everything that was counted of an address, of IPv6 of its /64 network, in every process. @returns how many counts */
  async forgetAddress(ip: string): Promise<number> {
    const { affected } = await this.database.statement(`DELETE FROM {RateLimit} WHERE ${OF_ADDRESS}`).run(...addressPatterns(ip));
    await this.tellEverybody();
    return affected;
  }

  private async tellEverybody(): Promise<void> {
    this.forgetMemory();
    await this.generations.bump(GENERATION);
    await this.generations.catchUp(GENERATION);
  }

  private forgetMemory(): void {
    this.failures.lookAgain();
    this.gate.beginAnew();
  }
}

const OF_ADDRESS = `({RateLimit.key} LIKE ? ESCAPE '!' OR {RateLimit.key} LIKE ? ESCAPE '!')`;

/** An address at the end of a key, or with something behind it. */
function addressPatterns(ip: string): [string, string] {
  const address = likeText(addressForLimits(ip.trim()));
  return [`%:${address}`, `%:${address}:%`];
}

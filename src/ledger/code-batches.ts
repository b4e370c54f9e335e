import { Injectable } from '@nestjs/common';

import { legacyTime, toYuan } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database, fromSqlTime, Paginator, type SqlValue } from '../database/index.js';

import { newCode, codeHash } from './code-words.js';
import { CodeBatch, RedeemCode } from './entities/index.js';
import type { Listed } from './entry-list.js';
import { LedgerError } from './errors.js';

/** Maximum codes per batch. */
export const MAX_CODES = 1_000;
/** Number of last characters stored in plain text. */
const ENDING = 4;

/** Values of a new batch. */
export type NewBatch = Pick<CodeBatch, 'name' | 'amount' | 'total' | 'untilOn' | 'actor'>;

interface BatchRow {
  readonly id: number;
  readonly name: string;
  readonly amount: string | number;
  readonly total: number;
  readonly untilOn: string | null;
  readonly actor: string;
  readonly createdAt: string;
}

interface CodeRow {
  readonly id: number;
  readonly ending: string;
  readonly state: RedeemCode['state'];
  readonly creditId: number | null;
  readonly usedAt: string | null;
}

/** Batches of redeem codes for credit. */
@Injectable()
export class CodeBatches {
  private readonly batches: Paginator<BatchRow>;
  private readonly codes: Paginator<CodeRow>;
  private readonly states;
  private readonly insertCode;
  private readonly revokeUnused;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {
    this.batches = new Paginator(
      database,
      'CodeBatch',
      `{CodeBatch}.{CodeBatch.id} AS id, {CodeBatch.name} AS name, {CodeBatch.amount} AS amount, {CodeBatch.total} AS total,
        {CodeBatch.untilOn} AS untilOn, {CodeBatch.actor} AS actor, {CodeBatch.createdAt} AS createdAt`,
    );
    this.codes = new Paginator(
      database,
      'RedeemCode',
      `{RedeemCode}.{RedeemCode.id} AS id, {RedeemCode.ending} AS ending, {RedeemCode.state} AS state, {RedeemCode.creditId} AS creditId,
        {RedeemCode.usedAt} AS usedAt`,
    );
    this.states = database.statement<{ state: RedeemCode['state']; n: number }>(
      `SELECT {RedeemCode.state} AS state, COUNT(*) AS n FROM {RedeemCode} WHERE {RedeemCode.batchId} = ? GROUP BY {RedeemCode.state}`,
    );
    this.insertCode = database.statement(
      `INSERT INTO {RedeemCode} ({RedeemCode.batchId}, {RedeemCode.hash}, {RedeemCode.ending}, {RedeemCode.state}) VALUES (?, ?, ?,
        'unused')`,
    );
    this.revokeUnused = database.statement(
      `UPDATE {RedeemCode} SET {RedeemCode.state} = 'revoked' WHERE {RedeemCode.batchId} = ? AND {RedeemCode.state} = 'unused'`,
    );
  }

  /** Creates a batch. @returns the codes, which cannot be shown again */
  make(batch: NewBatch): Promise<{ id: number; codes: string[] }> {
    const codes = Array.from({ length: batch.total }, newCode);
    return this.database.transaction(
      async () => {
        const { identifiers } = await this.database.repository(CodeBatch).insert({ ...batch, createdAt: this.clock.now() });
        const id = Number(identifiers[0]!.id);
        for (const code of codes) await this.insertCode.run(id, codeHash(code), code.slice(-ENDING));
        const { name, amount, total, untilOn } = batch;
        this.database.noteChange({ of: 'code_batch', id }, null, { name, amount: toYuan(amount), codes: total, untilOn });
        return { id, codes };
      },
      { durable: true },
    );
  }

  /** Revokes unused codes. @returns the number revoked @throws LedgerError NO_BATCH, NOTHING_UNUSED */
  async revoke(id: number): Promise<number> {
    return this.database.transaction(async () => {
      if (!(await this.database.repository(CodeBatch).existsBy({ id }))) throw new LedgerError('NO_BATCH');
      const { affected } = await this.revokeUnused.run(id);
      if (affected === 0) throw new LedgerError('NOTHING_UNUSED');
      this.database.noteChange({ of: 'code_batch', id }, { unusedCodes: affected }, { unusedCodes: 0 });
      return affected;
    });
  }

  /** Returns batches, the newest first. */
  async list(offset: number, limit: number): Promise<Listed> {
    const { total, rows } = await this.batches.page({ conditions: [], params: [], sort: null, direction: 'desc', offset, limit });
    return { total, rows: await Promise.all(rows.map((row) => this.batch(row))) };
  }

  /** Returns a batch; null if not found. */
  async one(id: number): Promise<Record<string, unknown> | null> {
    const found = await this.database.repository(CodeBatch).findOneBy({ id });
    return found && this.batch({ ...found, createdAt: found.createdAt.toISOString() });
  }

  /** Returns codes of a batch. @param state empty: all */
  async codesOf(batchId: number, state: string, offset: number, limit: number): Promise<Listed> {
    const conditions = ['{RedeemCode.batchId} = ?', ...(state === '' ? [] : ['{RedeemCode.state} = ?'])];
    const params: SqlValue[] = [batchId, ...(state === '' ? [] : [state])];
    const { total, rows } = await this.codes.page({ conditions, params, sort: null, direction: 'asc', offset, limit });
    return {
      total,
      rows: rows.map(({ id, ending, state: qk, creditId, usedAt }) => ({
        id,
        dhm: `…${ending}`,
        qk,
        ye_id: creditId,
        date: usedAt === null ? '' : this.time(fromSqlTime(usedAt)),
      })),
    };
  }

  private async batch({ id, name, amount, total, untilOn, actor, createdAt }: BatchRow): Promise<Record<string, unknown>> {
    const counts = new Map((await this.states.all(id)).map(({ state, n }) => [state, Number(n)]));
    const [unused, used, revoked] = (['unused', 'used', 'revoked'] as const).map((state) => counts.get(state) ?? 0);
    const date = this.time(createdAt.includes('T') ? new Date(createdAt) : fromSqlTime(createdAt));
    return {
      id,
      name,
      rmb: toYuan(Number(amount)),
      sl: total,
      wsy: unused,
      ysy: used,
      yzf: revoked,
      dateb: untilOn ?? '',
      czuser: actor,
      date,
    };
  }

  private time(at: Date): string {
    return legacyTime(at, this.clock.timezone);
  }
}

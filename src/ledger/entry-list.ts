import { Injectable } from '@nestjs/common';

import { legacyTime, toYuan, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database, legacySqlTime, Paginator, type SqlValue } from '../database/index.js';
import type { ListInput } from '../operations/index.js';

import { Credit, type TransferKind } from './entities/index.js';
import type { CreditListInput } from './ledger.inputs.js';

const CREDIT_COLUMNS = `{Credit}.{Credit.id} AS id, {Credit.holderKind} AS kind, {Credit.holderId} AS holderId, {Credit.name} AS name,
  {Credit.balance} AS balance, {Credit.movedAt} AS movedAt`;
const ENTRY_COLUMNS = '{CreditEntry}.{CreditEntry.id} AS id';
const CREDIT_SORTS = new Map([['rmb', 'balance']]);

interface CreditRow {
  readonly id: number;
  readonly kind: string;
  readonly holderId: number;
  readonly name: string;
  readonly balance: string | number;
  readonly movedAt: string;
}

interface EntryRow {
  readonly id: number;
  readonly creditId: number;
  readonly user: string;
  readonly amount: string | number;
  readonly balanceAfter: string | number;
  readonly kind: TransferKind;
  readonly reason: string;
  readonly actor: string;
  readonly at: string;
  readonly orderId: number | null;
  readonly number: string | null;
}

/** A page of rows for display, and the total number. */
export interface Listed {
  readonly total: number;
  readonly rows: Record<string, unknown>[];
}

/** Lists credits and their entries. */
@Injectable()
export class EntryList {
  private readonly credits: Paginator<CreditRow>;
  private readonly entries: Paginator<{ id: number }>;

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {
    this.credits = new Paginator(database, 'Credit', CREDIT_COLUMNS);
    this.entries = new Paginator(database, 'CreditEntry', ENTRY_COLUMNS);
  }

  /** Returns all credits. */
  async all({ page, limit, sort, sortOrder, ss, lx }: CreditListInput): Promise<Listed> {
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    if (lx) {
      conditions.push('{Credit.holderKind} = ?');
      params.push(lx);
    }
    if (ss) {
      conditions.push('INSTR(LOWER({Credit.name}), LOWER(?)) > 0');
      params.push(ss);
    }
    const { total, rows } = await this.credits.page({
      conditions,
      params,
      sort: CREDIT_SORTS.get(sort ?? '') ?? null,
      direction: sortOrder,
      offset: (page - 1) * limit,
      limit,
    });
    return { total, rows: rows.map((row) => this.credit(row)) };
  }

  /**
   * Returns entries, the newest first.
   *
   * @param creditId of the credit; null: of all
   */
  async of(creditId: number | null, { page, limit, sortOrder }: ListInput, locale: Locale): Promise<Listed> {
    const { total, rows } = await this.entries.page({
      conditions: [creditId === null ? '{CreditEntry.creditId} IS NOT NULL' : '{CreditEntry.creditId} = ?'],
      params: creditId === null ? [] : [creditId],
      sort: null,
      direction: sortOrder,
      offset: (page - 1) * limit,
      limit,
    });
    const ids = rows.map(({ id }) => id);
    const found = new Map((await this.read(ids)).map((row) => [row.id, row]));
    return { total, rows: ids.flatMap((id) => (found.has(id) ? [this.entry(found.get(id)!, locale)] : [])) };
  }

  /** Returns one credit; null if not found. */
  async one(id: number): Promise<Record<string, unknown> | null> {
    const found = await this.database.repository(Credit).findOneBy({ id });
    if (!found) return null;
    const { holderKind: kind, holderId, name, balance, movedAt } = found;
    return { id, lx: kind, yh_id: holderId, user: name, rmb: toYuan(balance), date: legacyTime(movedAt, this.config.timezone) };
  }

  private async read(ids: readonly number[]): Promise<EntryRow[]> {
    if (ids.length === 0) return [];
    const sql = this.database.resolve(
      `SELECT e.{CreditEntry.id} AS id, e.{CreditEntry.creditId} AS creditId, c.{Credit.name} AS user, e.{CreditEntry.amount} AS amount,
         e.{CreditEntry.balanceAfter} AS balanceAfter, t.{CreditTransfer.kind} AS kind, t.{CreditTransfer.reason} AS reason,
         t.{CreditTransfer.actor} AS actor, t.{CreditTransfer.createdAt} AS at, t.{CreditTransfer.orderId} AS orderId,
         o.{Order.number} AS number
       FROM {CreditEntry} e JOIN {CreditTransfer} t ON t.{CreditTransfer.id} = e.{CreditEntry.transferId}
       JOIN {Credit} c ON c.{Credit.id} = e.{CreditEntry.creditId} LEFT JOIN {Order} o ON o.{Order.id} = t.{CreditTransfer.orderId}
       WHERE e.{CreditEntry.id} IN (${ids.map(() => '?').join(', ')})`,
    );
    return this.database.rows<EntryRow>(sql, ids);
  }

  private credit({ id, kind, holderId, name, balance, movedAt }: CreditRow): Record<string, unknown> {
    return { id, lx: kind, yh_id: holderId, user: name, rmb: toYuan(Number(balance)), date: this.time(movedAt) };
  }

  private entry(row: EntryRow, locale: Locale): Record<string, unknown> {
    const { id, creditId, user, amount, balanceAfter, kind, reason, actor, at, orderId, number } = row;
    const fen = Number(amount);
    return {
      id,
      ye_id: creditId,
      user,
      rmb: (fen > 0 ? '+' : '') + toYuan(fen),
      ye: toYuan(Number(balanceAfter)),
      lx: kind,
      lr: translate(locale, `ledger.kind.${kind}`),
      yy: reason,
      czuser: actor,
      dd_id: orderId,
      ddh: number ?? '',
      date: this.time(at),
    };
  }

  private time(at: string): string {
    return legacySqlTime(at, this.config.timezone);
  }
}

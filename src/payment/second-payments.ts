import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';

import { Clock, fenTransformer } from '../common/index.js';
import { Database, fromSqlTime } from '../database/index.js';

import { SecondPayment } from './entities/index.js';

/** Money that came for an order that was paid already. */
export interface SecondPaymentRow {
  readonly id: number;
  /** Number of the order. */
  readonly number: string;
  readonly gateway: string;
  readonly tradeNumber: string;
  /** Fen. */
  readonly amount: number;
  readonly createdAt: Date;
  readonly refundedAt: Date | null;
}

interface StoredRow extends Omit<SecondPaymentRow, 'amount' | 'createdAt' | 'refundedAt'> {
  /** Yuan. */
  readonly amount: string | number;
  readonly createdAt: string;
  readonly refundedAt: string | null;
}

/** What was paid twice, until the administrator has given it back. */
@Injectable()
export class SecondPayments {
  private readonly openRows;
  private readonly rowsOf;
  private readonly setRefunded;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    const rows = `SELECT s.{SecondPayment.id} AS id, o.{Order.number} AS number, s.{SecondPayment.gateway} AS gateway,
        s.{SecondPayment.tradeNumber} AS tradeNumber, s.{SecondPayment.amount} AS amount, s.{SecondPayment.createdAt} AS createdAt,
        s.{SecondPayment.refundedAt} AS refundedAt
       FROM {SecondPayment} s JOIN {Order} o ON o.{Order.id} = s.{SecondPayment.orderId}`;
    this.openRows = database.statement<StoredRow>(
      `${rows} WHERE s.{SecondPayment.refundedAt} IS NULL ORDER BY s.{SecondPayment.id} LIMIT ?`,
    );
    this.rowsOf = database.statement<StoredRow>(`${rows} WHERE s.{SecondPayment.orderId} = ? ORDER BY s.{SecondPayment.id} LIMIT 100`);
    this.setRefunded = database.statement(
      "UPDATE {SecondPayment} SET {SecondPayment.refundedAt} = ?, {SecondPayment.state} = '' WHERE {SecondPayment.id} = ? AND {SecondPayment.refundedAt} IS NULL",
    );
  }

  /** Those that are still to be given back, the oldest first. */
  async open(limit: number): Promise<SecondPaymentRow[]> {
    return (await this.openRows.all(limit)).map(toRow);
  }

  /** Those of one order. */
  async of(orderId: number): Promise<SecondPaymentRow[]> {
    return (await this.rowsOf.all(orderId)).map(toRow);
  }

  /** One page of all of them, the newest first. */
  async page({
    page,
    limit,
    only,
  }: {
    page: number;
    limit: number;
    only?: 'open' | 'done';
  }): Promise<{ total: number; rows: SecondPayment[] }> {
    const [rows, total] = await this.database.repository(SecondPayment).findAndCount({
      where: only === undefined ? {} : { refundedAt: only === 'open' ? IsNull() : Not(IsNull()) },
      relations: { order: true },
      order: { id: 'DESC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    return { total, rows };
  }

  /** The administrator has given it back; false where there is no such payment (any more). */
  async refunded(id: number): Promise<boolean> {
    const refundedAt = this.clock.now();
    return this.database.transaction(async () => {
      if ((await this.setRefunded.run(refundedAt, id)).affected !== 1) return false;
      this.database.noteChange({ of: 'second_payment', id }, { refundedAt: null }, { refundedAt });
      return true;
    });
  }
}

function toRow({ amount, createdAt, refundedAt, ...row }: StoredRow): SecondPaymentRow {
  return { ...row, amount: fenTransformer.from(amount)!, createdAt: fromSqlTime(createdAt), refundedAt: fromSqlTime(refundedAt) };
}

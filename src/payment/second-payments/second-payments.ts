import { Inject, Injectable, Optional } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';

import { Clock, fenTransformer } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { type Order, SecondPayment } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { PaymentNotices, type SecondPaymentRow } from '../notices/index.js';
import { REFUND_CREDIT, type RefundCredit } from '../refunds/index.js';

interface StoredRow extends Omit<SecondPaymentRow, 'amount' | 'createdAt' | 'refundedAt'> {
  /** Yuan. */
  readonly amount: string | number;
  readonly createdAt: string;
  readonly refundedAt: string | null;
}

/** Repository of second payments: money for an order that was paid already, until it is refunded or becomes credit. */
@Injectable()
export class SecondPayments {
  private readonly openRows;
  private readonly rowsOf;
  private readonly setRefunded;
  private readonly setCredit;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly notices: PaymentNotices,
    @Optional() @Inject(REFUND_CREDIT) private readonly credit?: RefundCredit,
  ) {
    const rows = `SELECT s.{SecondPayment.id} AS id, o.{Order.number} AS number, s.{SecondPayment.gateway} AS gateway,
        s.{SecondPayment.tradeNumber} AS tradeNumber, s.{SecondPayment.amount} AS amount, s.{SecondPayment.createdAt} AS createdAt,
        s.{SecondPayment.refundedAt} AS refundedAt, s.{SecondPayment.state} AS state
       FROM {SecondPayment} s JOIN {Order} o ON o.{Order.id} = s.{SecondPayment.orderId}`;
    this.openRows = database.statement<StoredRow>(
      `${rows} WHERE s.{SecondPayment.refundedAt} IS NULL ORDER BY s.{SecondPayment.id} LIMIT ?`,
    );
    this.rowsOf = database.statement<StoredRow>(`${rows} WHERE s.{SecondPayment.orderId} = ? ORDER BY s.{SecondPayment.id} LIMIT 100`);
    this.setRefunded = database.statement(
      "UPDATE {SecondPayment} SET {SecondPayment.refundedAt} = ?, {SecondPayment.state} = '' " +
        'WHERE {SecondPayment.id} = ? AND {SecondPayment.refundedAt} IS NULL',
    );
    this.setCredit = database.statement(
      `UPDATE {SecondPayment} SET {SecondPayment.refundedAt} = ?, {SecondPayment.state} = 'credit', {SecondPayment.words} = ''
       WHERE {SecondPayment.id} = ? AND {SecondPayment.refundedAt} IS NULL AND {SecondPayment.state} <> 'pending'`,
    );
  }

  /** Returns those still to be refunded, the oldest first. */
  async open(limit: number): Promise<SecondPaymentRow[]> {
    return (await this.openRows.all(limit)).map(toRow);
  }

  /** Returns those of one order. */
  async of(orderId: number): Promise<SecondPaymentRow[]> {
    return (await this.rowsOf.all(orderId)).map(toRow);
  }

  /** Returns one page of all of them, the newest first. */
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

  /** Returns whether the order's owner can receive credit. */
  async toCredit(order: Order): Promise<boolean> {
    return (await this.credit?.takesSecond(order)) ?? false;
  }

  /**
   * Adds it to the credit of the order's owner, once.
   *
   * @param actor name of the administrator
   * @throws PaymentError SECOND_PAYMENT_NOT_FOUND, REFUND_ASKED if its gateway may be refunding it, REFUND_NO_CREDIT
   */
  giveCredit(id: number, actor: string): Promise<SecondPayment> {
    return this.database.transaction(
      async () => {
        const rows = this.database.repository(SecondPayment);
        const found = await rows.findOneBy({ id });
        // Lock order: the order first, then the credit, as everywhere.
        if (found) await this.database.lockRow('Order', 'id', found.orderId);
        const payment = found && (await rows.findOne({ where: { id }, relations: { order: true } }));
        if (!payment || payment.refundedAt !== null) throw new PaymentError('SECOND_PAYMENT_NOT_FOUND');
        if (!(await this.toCredit(payment.order!))) throw new PaymentError('REFUND_NO_CREDIT');
        const refundedAt = this.clock.now();
        if ((await this.setCredit.run(refundedAt, id)).affected !== 1) throw new PaymentError('REFUND_ASKED');
        await this.credit!.giveSecond(payment.order!, payment, actor);
        await this.notices.secondCredited(payment.order!, payment);
        this.database.noteChange({ of: 'second_payment', id }, { refundedAt: null }, { refundedAt });
        return payment;
      },
      { durable: true },
    );
  }

  /** Marks it as refunded by the administrator; returns false if it does not exist (any more). */
  async refunded(id: number): Promise<boolean> {
    const refundedAt = this.clock.now();
    return this.database.transaction(async () => {
      if ((await this.setRefunded.run(refundedAt, id)).affected !== 1) return false;
      const payment = await this.database.repository(SecondPayment).findOneOrFail({ where: { id }, relations: { order: true } });
      await this.notices.secondRefunded(payment.order!, payment);
      this.database.noteChange({ of: 'second_payment', id }, { refundedAt: null }, { refundedAt });
      return true;
    });
  }
}

function toRow({ amount, createdAt, refundedAt, ...row }: StoredRow): SecondPaymentRow {
  return { ...row, amount: fenTransformer.from(amount)!, createdAt: fromSqlTime(createdAt), refundedAt: fromSqlTime(refundedAt) };
}

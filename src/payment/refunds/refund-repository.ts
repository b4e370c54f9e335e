import { Inject, Injectable, Optional } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Order, PaymentTransaction, Refund, type RefundState, type RefundWay } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { PaymentNotices } from '../notices/index.js';

import { REFUND_CREDIT, type RefundCredit } from './refund-credit.js';

/** How long a claim to ask a gateway lasts, in milliseconds: longer than the call may take. */
const ASKING_MS = 60_000;

/** A requested refund. */
export interface RefundRequest {
  readonly orderId: number;
  /** Fen. */
  readonly amount: number;
  readonly way: RefundWay;
  readonly reason: string;
  /** Name of the administrator. */
  readonly actor: string;
}

/** Rows of refunds. Reserved and completed refunds of an order never exceed the paid amount, also with concurrent requests. */
@Injectable()
export class RefundRepository {
  private readonly reserved;
  private readonly claimRow;
  private readonly settleRow;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly notices: PaymentNotices,
    @Optional() @Inject(REFUND_CREDIT) private readonly credit?: RefundCredit,
  ) {
    this.reserved = database.statement<{ n: number; fen: string | number | null; done: string | number | null }>(
      `SELECT COUNT(*) AS n, SUM(CASE WHEN {Refund.state} <> 'refused' THEN ROUND({Refund.amount} * 100) ELSE 0 END) AS fen,
        SUM(CASE WHEN {Refund.state} = 'done' THEN ROUND({Refund.amount} * 100) ELSE 0 END) AS done
       FROM {Refund} WHERE {Refund.orderId} = ?`,
    );
    this.claimRow = database.statement(
      `UPDATE {Refund} SET {Refund.askedAt} = ? WHERE {Refund.id} = ? AND {Refund.state} = 'pending' AND {Refund.way} = 'gateway'
        AND ({Refund.askedAt} IS NULL OR {Refund.askedAt} < ?)`,
    );
    this.settleRow = database.statement(
      `UPDATE {Refund} SET {Refund.state} = ?, {Refund.doneAt} = ?, {Refund.refundNumber} = ?, {Refund.words} = ?
       WHERE {Refund.id} = ? AND {Refund.state} = 'pending'`,
    );
  }

  private get rows() {
    return this.database.repository(Refund);
  }

  /** Returns the refunds of an order, the oldest first. */
  of(orderId: number): Promise<Refund[]> {
    return this.rows.find({ where: { orderId }, order: { id: 'ASC' }, take: 200 });
  }

  find(id: number): Promise<Refund | null> {
    return this.rows.findOneBy({ id });
  }

  /** Returns gateway refunds with unknown outcome, the oldest first. */
  waiting(after: number, limit: number): Promise<Refund[]> {
    return this.rows
      .createQueryBuilder('r')
      .where("r.state = 'pending' AND r.way = 'gateway' AND r.id > :after", { after })
      .orderBy('r.id')
      .take(limit)
      .getMany();
  }

  /** Returns the refundable amount of an order in fen. */
  async left(order: Pick<Order, 'id' | 'status'>, payment: Pick<PaymentTransaction, 'amount'> | null): Promise<number> {
    if (!payment || !isRefundable(order)) return 0;
    return payment.amount - Number((await this.reserved.get(order.id))?.fen ?? 0);
  }

  /**
   * Reserves the amount. A manual refund, and one to credit, is complete with that.
   *
   * @throws PaymentError NOT_REFUNDABLE for an unpaid order, REFUND_TOO_MUCH, REFUND_NO_CREDIT,
   * REFUND_SPENT if a top-up was already spent
   */
  reserve({ orderId, amount, way, reason, actor }: RefundRequest): Promise<Refund> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Order', 'id', orderId);
      const order = await this.database.repository(Order).findOneByOrFail({ id: orderId });
      if (way === 'credit' && !(await this.toCredit(order)))
        throw new PaymentError('REFUND_NO_CREDIT', {}, { qd: 'payment.refund_no_credit' });
      const payment = await this.database.repository(PaymentTransaction).findOneBy({ orderId });
      if (!payment || !isRefundable(order)) throw new PaymentError('NOT_REFUNDABLE');
      const reserved = await this.reserved.get(orderId);
      if (amount > payment.amount - Number(reserved?.fen ?? 0))
        throw new PaymentError('REFUND_TOO_MUCH', {}, { rmb: 'payment.field.refund_too_much' });
      const { identifiers } = await this.rows.insert({
        orderId,
        number: `${order.number}R${Number(reserved?.n ?? 0) + 1}`,
        gateway: payment.gateway,
        way,
        amount,
        state: 'pending',
        reason,
        actor: actor.slice(0, 64),
        createdAt: this.clock.now(),
      });
      const refund = await this.rows.findOneByOrFail({ id: Number(identifiers[0]!.id) });
      if (this.credit && !(await this.credit.reserved(order, refund)))
        throw new PaymentError('REFUND_SPENT', {}, { rmb: 'payment.refund_spent' });
      if (way === 'credit') await this.credit!.give(order, refund);
      if (way !== 'gateway') await this.settle(refund, 'done', '', '');
      return refund;
    });
  }

  /** Returns whether an order can be refunded to its owner's credit. */
  async toCredit(order: Order): Promise<boolean> {
    return (await this.credit?.takes(order)) ?? false;
  }

  /** Claims the refund; returns whether the caller may ask the gateway now. */
  async claim(id: number): Promise<boolean> {
    const now = this.clock.now();
    return (await this.claimRow.run(now, id, new Date(now.getTime() - ASKING_MS))).affected === 1;
  }

  /** Records the gateway's message while the outcome is unknown. */
  async note(id: number, words: string): Promise<void> {
    await this.rows.update({ id, state: 'pending' }, { words });
  }

  /**
   * Records the outcome together with the order's state, and notifies the owner of a refund.
   *
   * @returns false if the outcome is already known
   */
  settle(refund: Refund, state: Exclude<RefundState, 'pending'>, refundNumber: string, words: string): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Order', 'id', refund.orderId);
      const { affected } = await this.settleRow.run(state, this.clock.now(), refundNumber, words, refund.id);
      if (affected !== 1) return false;
      const orders = this.database.repository(Order);
      const order = await orders.findOneByOrFail({ id: refund.orderId });
      if (state === 'refused') {
        await this.credit?.refused(order, refund);
        return true;
      }
      const { amount: paid } = await this.database.repository(PaymentTransaction).findOneByOrFail({ orderId: order.id });
      const done = Number((await this.reserved.get(order.id))?.done ?? 0);
      const status = done >= paid ? 'refunded' : 'partly_refunded';
      await orders.update({ id: order.id }, { status });
      this.database.noteChange({ of: 'order', id: order.id }, { orderState: order.status }, { orderState: status });
      await this.notices.refunded(order, refund);
      return true;
    });
  }
}

function isRefundable({ status }: Pick<Order, 'status'>): boolean {
  return status === 'paid' || status === 'partly_refunded';
}

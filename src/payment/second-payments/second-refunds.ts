import { Injectable } from '@nestjs/common';

import { Clock, DEFAULT_LOCALE, translate, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { SecondPayment } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { GatewayCalls } from '../gateways/index.js';
import { PaymentNotices } from '../notices/index.js';
import { Orders } from '../orders/index.js';

/** How long a claim to ask a gateway lasts, in milliseconds: longer than the call may take. */
const ASKING_MS = 60_000;
const BATCH = 50;

/** Refunds second payments through their gateways; with the same number in every attempt, so that each is refunded once. */
@Injectable()
export class SecondRefunds {
  private readonly claim;
  private readonly done;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly orders: Orders,
    private readonly calls: GatewayCalls,
    private readonly notices: PaymentNotices,
  ) {
    const open = '{SecondPayment.id} = ? AND {SecondPayment.refundedAt} IS NULL';
    this.claim = database.statement(
      `UPDATE {SecondPayment} SET {SecondPayment.state} = 'pending', {SecondPayment.askedAt} = ?
       WHERE ${open} AND ({SecondPayment.askedAt} IS NULL OR {SecondPayment.askedAt} < ? OR {SecondPayment.state} = 'refused')`,
    );
    this.done = database.statement(
      `UPDATE {SecondPayment} SET {SecondPayment.refundedAt} = ?, {SecondPayment.state} = '', {SecondPayment.refundNumber} = ?,
        {SecondPayment.words} = ? WHERE ${open}`,
    );
  }

  /** Returns whether its gateway supports refunds. */
  can(gateway: string): boolean {
    return this.calls.can(gateway, 'refund');
  }

  /** @throws PaymentError SECOND_PAYMENT_NOT_FOUND, REFUND_BY_HAND, REFUND_ASKED if another request is asking right now */
  async make(id: number, locale: Locale): Promise<SecondPayment> {
    const payment = await this.rows.findOneBy({ id });
    if (!payment || payment.refundedAt !== null) throw new PaymentError('SECOND_PAYMENT_NOT_FOUND');
    if (!this.can(payment.gateway)) throw new PaymentError('REFUND_BY_HAND');
    if (!(await this.ask(payment, locale))) throw new PaymentError('REFUND_ASKED');
    return this.rows.findOneByOrFail({ id });
  }

  /** Asks about all refunds with unknown outcome. @returns how many were asked about */
  @Job({ name: 'second-refunds', everyMinutes: 15 })
  async askAll(turn?: JobTurn): Promise<number> {
    let count = 0;
    for (let last = 0; ;) {
      const pending = await this.rows
        .createQueryBuilder('s')
        .where("s.refundedAt IS NULL AND s.state = 'pending' AND s.id > :last", { last })
        .orderBy('s.id')
        .take(BATCH)
        .getMany();
      for (const payment of pending) {
        turn?.signal.throwIfAborted();
        if (this.can(payment.gateway) && (await this.ask(payment, DEFAULT_LOCALE))) count += 1;
      }
      if (pending.length < BATCH) return count;
      last = pending.at(-1)!.id;
    }
  }

  /** @returns false if another process is asking, or it is already refunded */
  private async ask({ id, orderId, gateway, amount, tradeNumber }: SecondPayment, locale: Locale): Promise<boolean> {
    const now = this.clock.now();
    if ((await this.claim.run(now, id, new Date(now.getTime() - ASKING_MS))).affected !== 1) return false;
    const order = (await this.orders.get(orderId))!;
    const reason = translate(DEFAULT_LOCALE, 'payment.second_reason');
    const request = { id: `${order.number}S${id}`, amount, trade_no: tradeNumber, paid: amount, reason };
    const outcome = await this.calls.refund(order, gateway, request, locale);
    const words = outcome.msg ?? '';
    if (outcome.state !== 'done') {
      // With an unknown outcome it stays pending and is asked about again.
      const state = outcome.state === 'refused' ? 'refused' : 'pending';
      await this.rows.createQueryBuilder().update().set({ state, words }).where('id = :id AND refunded_at IS NULL', { id }).execute();
      return true;
    }
    const refundedAt = this.clock.now();
    await this.database.transaction(async () => {
      if ((await this.done.run(refundedAt, outcome.refund_no ?? '', words, id)).affected !== 1) return;
      this.database.noteChange({ of: 'second_payment', id }, { refundedAt: null }, { refundedAt });
      await this.notices.secondRefunded(order, { id, amount });
    });
    return true;
  }

  private get rows() {
    return this.database.repository(SecondPayment);
  }
}

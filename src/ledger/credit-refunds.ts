import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { orderOwner, Refund, type Order, type RefundCredit, type SecondPayment } from '../payment/index.js';

import { CreditHolders } from './credit-holders.js';
import { LedgerError } from './errors.js';
import { causeOf, Ledger } from './ledger.js';
import { TOP_UP_SCENE } from './top-up-scene.js';

/** Refunds to and from credit: an order may be refunded to it, and a refunded top-up is deducted from it. */
@Injectable()
export class CreditRefunds implements RefundCredit {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly holders: CreditHolders,
  ) {}

  async takes(order: Order): Promise<boolean> {
    return order.scene !== TOP_UP_SCENE && this.takesSecond(order);
  }

  async takesSecond(order: Order): Promise<boolean> {
    const owner = orderOwner(order);
    return owner !== null && (await this.holders.find(owner)) !== null;
  }

  async giveSecond(order: Order, { id, amount }: SecondPayment, actor: string): Promise<void> {
    await this.ledger.move({
      of: await this.holders.of(orderOwner(order)),
      amount,
      against: 'gateway',
      kind: 'second',
      cause: causeOf.second(id),
      orderId: order.id,
      actor,
    });
  }

  async reserved({ id, scene }: Order, refund: Refund): Promise<boolean> {
    if (scene !== TOP_UP_SCENE) return true;
    const topUp = await this.ledger.movedBy(causeOf.topUp(id));
    if (!topUp) return false;
    if (await this.takeBack(topUp.creditId, id, refund)) return true;
    // The host has been given to a customer since, and its credit was moved.
    const joined = await this.ledger.joinedTo(topUp.creditId);
    return joined !== null && this.takeBack(joined, id, refund);
  }

  async refused({ id }: Order, refund: Refund): Promise<void> {
    const deducted = await this.ledger.movedBy(causeOf.takenBack(refund.id));
    if (!deducted) return;
    await this.ledger.move({
      of: deducted.creditId,
      amount: -deducted.amount,
      against: 'gateway',
      kind: 'given_again',
      cause: causeOf.givenAgain(refund.id),
      orderId: id,
      refundId: refund.id,
    });
  }

  async give(order: Order, refund: Refund): Promise<void> {
    await this.ledger.move({
      of: await this.holders.of(orderOwner(order)),
      amount: refund.amount,
      against: 'refund',
      kind: 'refund',
      cause: causeOf.refund(refund.id),
      orderId: order.id,
      refundId: refund.id,
      reason: refund.reason,
      actor: refund.actor,
    });
  }

  /**
   * Executes a refund of a gateway that pays from credit: returns the amount to the paying credit. Idempotent per refund.
   *
   * @param number refund number, as passed to the gateway
   * @returns false if no such refund of that gateway is pending
   */
  async giveBack(number: string, gateway: string): Promise<boolean> {
    const refund = await this.database.repository(Refund).findOneBy({ number });
    if (!refund || refund.gateway !== gateway || refund.way !== 'gateway' || refund.state === 'refused') return false;
    const payment = await this.ledger.movedBy(causeOf.payment(refund.orderId));
    if (!payment) return false;
    const { id: refundId, orderId, amount, reason, actor } = refund;
    const of = (await this.ledger.joinedTo(payment.creditId)) ?? payment.creditId;
    const about = { orderId, refundId, reason, actor };
    await this.ledger.move({ of, amount, against: 'refund', kind: 'refund', cause: causeOf.refund(refundId), ...about });
    return true;
  }

  private async takeBack(creditId: number, orderId: number, { id: refundId, amount, reason, actor }: Refund): Promise<boolean> {
    const about = { orderId, refundId, reason, actor };
    try {
      await this.ledger.move({
        of: creditId,
        amount: -amount,
        against: 'gateway',
        kind: 'taken_back',
        cause: causeOf.takenBack(refundId),
        ...about,
      });
      return true;
    } catch (error) {
      // It throws before anything is written.
      if (error instanceof LedgerError && error.code === 'NOT_ENOUGH') return false;
      throw error;
    }
  }
}

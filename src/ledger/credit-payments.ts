import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { orderOwner, Orders, PaymentError, Settlement, type Order } from '../payment/index.js';
import type { OrderOwner } from '../sdk/index.js';

import { CreditHolders } from './credit-holders.js';
import { LedgerError } from './errors.js';
import { causeOf, Ledger, type CreditHolder } from './ledger.js';
import { TOP_UP_SCENE } from './top-up-scene.js';

/** Slug of the bundled plugin that offers payment from credit, and of its gateway: `plugins/balance`. */
export const CREDIT_GATEWAY = 'balance';
/** Prefix of transaction numbers of payments from credit. */
export const CREDIT_TRADE = 'credit-';

/** An order to be paid from credit. */
export interface CreditPayment {
  /** Order number. */
  readonly number: string;
  /** The payer, who must own both the credit and the order. */
  readonly payer: OrderOwner;
  /** Slug of the gateway that offers it, to which the order was sent. */
  readonly gateway: string;
}

/** Pays orders from credit: debit and settlement are one transaction. */
@Injectable()
export class CreditPayments {
  constructor(
    private readonly database: Database,
    private readonly ledger: Ledger,
    private readonly holders: CreditHolders,
    private readonly orders: Orders,
    private readonly settlement: Settlement,
  ) {}

  /**
   * @returns whether this call paid it; false if it was already paid from credit
   * @throws PaymentError ORDER_NOT_FOUND, also for another owner's order; LedgerError NOT_ENOUGH, NOT_PAYABLE,
   * TOP_UP_BY_CREDIT, PAYMENT_REFUSED
   */
  async pay({ number, payer, gateway }: CreditPayment): Promise<boolean> {
    const found = await this.orders.get(number);
    const holder = found && (await this.payingHolder(found, payer));
    if (!found || !holder) throw new PaymentError('ORDER_NOT_FOUND');
    if (found.scene === TOP_UP_SCENE) throw new LedgerError('TOP_UP_BY_CREDIT');
    return this.database.transaction(
      async () => {
        // Lock order: the order first, then the credit, as everywhere, to avoid deadlocks.
        await this.database.lockRow('Order', 'id', found.id);
        const order = (await this.orders.get(found.id))!;
        if (order.status !== 'unpaid') {
          if (await this.ledger.movedBy(causeOf.payment(order.id))) return false;
          throw new LedgerError('NOT_PAYABLE');
        }
        const { ok, msg } = await this.settlement.settle(number, gateway, { trade_no: CREDIT_TRADE + number, amount: order.amount });
        if (!ok) throw new LedgerError('PAYMENT_REFUSED', { reason: msg });
        await this.ledger.move({
          of: holder,
          amount: -order.amount,
          against: 'revenue',
          kind: 'payment',
          cause: causeOf.payment(order.id),
          orderId: order.id,
        });
        return true;
      },
      { durable: true },
    );
  }

  /** Returns the amount of an order and the payer's balance; null if the order is not the payer's, or cannot be paid from credit. */
  async offer(number: string, payer: OrderOwner): Promise<{ amount: number; balance: number } | null> {
    const order = await this.orders.get(number);
    const holder = order && order.scene !== TOP_UP_SCENE ? await this.payingHolder(order, payer) : null;
    return order && holder && { amount: order.amount, balance: await this.ledger.balance(holder) };
  }

  /** Returns the payer's credit, if the order is theirs. */
  private async payingHolder(order: Order, payer: OrderOwner): Promise<CreditHolder | null> {
    const owner = orderOwner(order);
    const [own, paying] = [owner && (await this.holders.find(owner)), await this.holders.find(payer)];
    return own && paying && own.kind === paying.kind && own.id === paying.id ? this.holders.of(payer) : null;
  }
}

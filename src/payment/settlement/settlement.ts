import { Injectable } from '@nestjs/common';

import { Clock, DEFAULT_LOCALE, translate, columnOfFen } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { EventOutbox } from '../../hooks/index.js';
import type { OrderRecord, SettlementExtra, SettlementResult } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';
import { PaymentNotices } from '../notices/index.js';
import { readClaim, type SettlementClaim } from '../notifications/index.js';
import { Orders, OrderHolds, orderEventRow } from '../orders/index.js';

import { SettlementRecord, type Verdict } from './settlement-record.js';

/** Maximum retries when an order changes during a settlement; each change is caused by a buyer's click. */
const MAX_ROUNDS = 10;

/**
 * Marks an order as paid, exactly once. The order's conditional `UPDATE`, the transaction's row and the event
 * `order.paid` are one transaction, so of any number of concurrent calls and processes exactly one settles the order and the
 * others do nothing. Source: docs/plugin-api.md "Payments".
 */
@Injectable()
export class Settlement {
  private readonly claimOrder;
  private readonly giveBackOrder;
  private readonly insertTransaction;
  private readonly findTransaction;
  private readonly transactionOf;
  private readonly insertSecond;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly orders: Orders,
    private readonly outbox: EventOutbox,
    private readonly written: SettlementRecord,
    private readonly holds: OrderHolds,
    private readonly notices: PaymentNotices,
  ) {
    this.claimOrder = database.statement(
      `UPDATE {Order} SET {Order.status} = 'paid', {Order.paidAt} = ?, {Order.type} = ?
       WHERE {Order.id} = ? AND {Order.type} = ? AND {Order.status} IN ('unpaid', 'closed')`,
    );
    this.giveBackOrder = database.statement(
      'UPDATE {Order} SET {Order.status} = ?, {Order.paidAt} = NULL, {Order.type} = ? WHERE {Order.id} = ?',
    );
    this.insertTransaction = database.statement(
      `INSERT INTO {PaymentTransaction} ({PaymentTransaction.orderId}, {PaymentTransaction.gateway},
        {PaymentTransaction.tradeNumber}, {PaymentTransaction.amount}, {PaymentTransaction.amountChecked},
        {PaymentTransaction.createdAt}) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.findTransaction = database.statement<{ orderId: number }>(
      `SELECT {PaymentTransaction.orderId} AS orderId FROM {PaymentTransaction}
       WHERE {PaymentTransaction.gateway} = ? AND {PaymentTransaction.tradeNumber} = ?`,
    );
    this.transactionOf = database.statement<{ gateway: string }>(
      'SELECT {PaymentTransaction.gateway} AS gateway FROM {PaymentTransaction} WHERE {PaymentTransaction.orderId} = ?',
    );
    this.insertSecond = database.statement(
      `${database.insertIgnore} {SecondPayment} ({SecondPayment.orderId}, {SecondPayment.gateway}, {SecondPayment.tradeNumber},
        {SecondPayment.amount}, {SecondPayment.createdAt}) VALUES (?, ?, ?, ?, ?)`,
    );
  }

  /**
   * Settles an order named by a gateway's verified notification. Every call writes a line to the payment log.
   *
   * @param order the order number, or the record passed to `build`: only its number is used, the rest is reloaded
   * @param gateway slug of the calling gateway: the order's, or one it was sent to before; the order keeps the type it was
   *  paid through
   * @param extra what was paid; without an amount the order's own is assumed and the log says so
   * @returns `{ok:false}` with the reason for a refusal, which is never thrown
   * @throws Error if the database fails: the gateway will notify again
   */
  async settle(order: OrderRecord | string, gateway: string, extra: SettlementExtra = {}): Promise<SettlementResult> {
    const notification = { number: orderNumber(order), gateway: String(gateway), extra: extra ?? {} };
    try {
      const verdict = await this.decide(notification.number, notification.gateway, notification.extra);
      await this.written.decided(notification, verdict);
      return toResult(verdict);
    } catch (error) {
      await this.written.failed(notification, error);
      throw error;
    }
  }

  private async decide(number: string, gateway: string, extra: SettlementExtra): Promise<Verdict> {
    const claim = readClaim(extra);
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const order = await this.orders.get(number);
      if (!order) return { kind: 'refused', reason: 'order_unknown' };
      const type = await this.orders.typeAt(order, gateway);
      if (type === null) return { kind: 'refused', reason: 'other_gateway' };
      if (typeof claim === 'string') return { kind: 'refused', reason: claim };
      if (claim.amount !== null && claim.amount !== order.amount) return { kind: 'refused', reason: 'amount_differs' };
      if (order.status === 'paid') return this.repeated(order, gateway, claim);
      if (order.status === 'refunded' || order.status === 'partly_refunded') return { kind: 'refused', reason: 'refunded' };
      const outcome = await this.apply(order, type, gateway, claim);
      if (outcome === 'settled') return { kind: 'paid', claim };
      if (outcome === 'trade_used') return { kind: 'refused', reason: 'trade_used' };
    }
    throw new Error(`The order ${number} changed repeatedly while it was settled.`);
  }

  /** The order's row is locked first: parallel calls queue there and cannot deadlock. */
  private apply(order: Order, type: string, gateway: string, claim: SettlementClaim): Promise<'settled' | 'changed' | 'trade_used'> {
    return this.database.transaction(
      async () => {
        const paidAt = this.clock.now();
        const { affected } = await this.claimOrder.run(paidAt, type, order.id, order.type);
        if (affected !== 1) return 'changed';
        const tradeNumber = claim.tradeNumber ?? order.number;
        try {
          const amountChecked = claim.amount !== null;
          await this.insertTransaction.run(order.id, gateway, tradeNumber, columnOfFen(order.amount), amountChecked, paidAt);
        } catch (error) {
          if (!isUniqueViolation(error)) throw error;
          // Undone explicitly instead of by a rollback: the transaction may be a plugin's own.
          await this.giveBackOrder.run(order.status, order.type, order.id);
          return 'trade_used';
        }
        await this.holds.paid(order);
        if (order.status === 'closed') await this.notices.late(order, gateway, tradeNumber);
        const paid = { ...order, type };
        await this.outbox.record({
          hook: 'order.paid',
          subject: `order:${order.id}`,
          source: gateway,
          args: [this.orders.toOrderRecord(paid)],
          row: { ...orderEventRow({ ...paid, status: 'paid' }), paid_at: paidAt.toISOString(), gateway, trade_no: tradeNumber },
        });
        return 'settled';
      },
      { durable: true },
    );
  }

  /** Another transaction number, or another gateway, for a paid order is a second payment: it settles nothing and is to be refunded. */
  private async repeated(order: Order, gateway: string, claim: SettlementClaim): Promise<Verdict> {
    if (claim.tradeNumber === null && (await this.transactionOf.get(order.id))?.gateway === gateway)
      return { kind: 'already', secondPayment: null };
    const tradeNumber = claim.tradeNumber ?? order.number;
    const transaction = await this.findTransaction.get(gateway, tradeNumber);
    if (transaction && transaction.orderId !== order.id) return { kind: 'refused', reason: 'trade_used' };
    if (transaction) return { kind: 'already', secondPayment: null };
    return { kind: 'already', secondPayment: (await this.writeSecond(order, gateway, tradeNumber)) ? tradeNumber : null };
  }

  /** Records it together with the administrators' notification, atomically. @returns whether it is new */
  private writeSecond({ id: orderId, number, amount }: Order, gateway: string, tradeNumber: string): Promise<boolean> {
    return this.database.transaction(
      async () => {
        const { affected, insertId } = await this.insertSecond.run(orderId, gateway, tradeNumber, columnOfFen(amount), this.clock.now());
        if (affected !== 1) return false;
        await this.notices.second({ id: insertId, number, gateway, tradeNumber, amount });
        return true;
      },
      { durable: true },
    );
  }
}

function orderNumber(order: OrderRecord | string): string {
  return typeof order === 'object' && order !== null ? String(order.out_trade_no) : String(order);
}

/** These texts go to plugins and the log, and deployed plugins rely on them, so they are not translated. */
function toResult(verdict: Verdict): SettlementResult {
  const text = (key: string): string => translate(DEFAULT_LOCALE, `payment.settle.${key}`);
  if (verdict.kind === 'refused') return { ok: false, already: false, msg: text(verdict.reason) };
  const already = verdict.kind === 'already';
  return { ok: true, already, msg: text(already ? 'already' : 'paid') };
}

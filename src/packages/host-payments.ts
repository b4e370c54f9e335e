import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import { HostingAccount } from '../hosting/index.js';
import { Order } from '../payment/index.js';
import type { HostPaid } from '../sdk/index.js';

import { HostPayment } from './entities/index.js';
import type { PaidTime } from './package-value.js';

/** A payment for a period of a host. */
export type NewHostPayment = Omit<HostPayment, 'id' | 'order' | 'createdAt'>;

/** Payments for periods of hosts. A refunded amount no longer counts, from the moment the refund is requested. */
@Injectable()
export class HostPayments {
  private readonly open;
  private readonly end;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.open = database.statement<{
      fen: number;
      paid: string | null;
      back: string | null;
      months: number;
      fromDay: string;
      untilDay: string;
    }>(
      `SELECT payment.{HostPayment.fen} AS fen, payment.{HostPayment.months} AS months,
        payment.{HostPayment.fromDay} AS fromDay, payment.{HostPayment.untilDay} AS untilDay,
        (SELECT ROUND({Order.amount} * 100) FROM {Order} WHERE {Order.id} = payment.{HostPayment.orderId}) AS paid,
        (SELECT SUM(ROUND({Refund.amount} * 100)) FROM {Refund}
         WHERE {Refund.orderId} = payment.{HostPayment.orderId} AND {Refund.state} <> 'refused') AS back
       FROM {HostPayment} payment WHERE payment.{HostPayment.hostId} = ? AND payment.{HostPayment.untilDay} > ?`,
    );
    this.end = database.statement(
      `UPDATE {HostPayment} SET {HostPayment.fromDay} = ?, {HostPayment.untilDay} = ? WHERE {HostPayment.hostId} = ?
        AND {HostPayment.untilDay} > ?`,
    );
  }

  /** Returns a host's paid periods that are not over. */
  async of(hostId: number, today: string): Promise<PaidTime[]> {
    return (await this.open.all(hostId, today)).map(({ fen, paid, back, months, fromDay, untilDay }) => {
      const net = paid === null ? Number(fen) : Math.min(Number(fen), Number(paid) - Number(back ?? 0));
      return { fen: Math.max(0, net), months: Number(months), fromDay: dayText(fromDay), untilDay: dayText(untilDay) };
    });
  }

  /** Inserts a payment, within the caller's transaction. */
  async add(payment: NewHostPayment): Promise<void> {
    await this.rows.insert({ ...payment, createdAt: this.clock.now() });
  }

  /** Records the payment for opening a host: from today to its expiry, at most the order's amount, once per order. */
  async opened(hostId: number, { order: number, amount, months }: HostPaid, today: string): Promise<void> {
    const [host, order] = await Promise.all([
      this.database.repository(HostingAccount).findOneBy({ id: hostId }),
      this.database.repository(Order).findOneBy({ number }),
    ]);
    const isRight = Number.isSafeInteger(amount) && amount >= 0 && Number.isInteger(months) && months >= 1 && months <= 120;
    if (!isRight || !host?.expiresOn || order?.status !== 'paid') return;
    const payment = { hostId, orderId: order.id, fen: Math.min(amount, order.amount), months, fromDay: today, untilDay: host.expiresOn };
    await this.add(payment).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
    });
  }

  /** Whether the payment of an order is recorded. */
  isKnown(orderId: number): Promise<boolean> {
    return this.rows.existsBy({ orderId });
  }

  /** Invalidates earlier payments, within the caller's transaction, because a reseller has set the host's value. */
  async invalidate(hostId: number, today: string): Promise<void> {
    await this.end.run(today, today, hostId, today);
  }

  private get rows() {
    return this.database.repository(HostPayment);
  }
}

/** Database drivers return days as text or as dates. */
function dayText(value: unknown): string {
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value).slice(0, 10);
}

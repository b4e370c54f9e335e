import { Injectable } from '@nestjs/common';

import { DAY_MS } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database } from '../database/index.js';
import { DeadLetters } from '../hooks/index.js';
import { IncomeDays, type NetDay } from '../payment/index.js';

/** Maximum kinds of sales listed separately. */
const MAX_SOLD = 6;

/** Sales within a period: a plan by the name of its orders, or a kind of orders. */
export interface Sold {
  /** Empty if the scene is sufficient. */
  readonly name: string;
  readonly scene: string;
  readonly n: number;
  /** Fen, less later refunds. */
  readonly income: number;
}

/** Business figures. */
export interface Business {
  readonly days: readonly NetDay[];
  readonly sold: readonly Sold[];
  /** First and last day, `YYYY-MM-DD` in the panel's zone. */
  readonly first: string;
  readonly last: string;
  /** Payments less refunds, in fen. */
  readonly income: number;
  /** Fen. */
  readonly refunded: number;
  readonly orders: number;
  readonly hosts_new: number;
  /** Hosts that expire within as many days from now. */
  readonly hosts_ending: number;
  /** Hosts that expired within the period and were not renewed. */
  readonly hosts_ended: number;
  readonly orders_open: number;
  /** Fen. */
  readonly orders_open_sum: number;
  readonly refunds_waiting: number;
  /** Second payments still to be refunded. */
  readonly second_payments: number;
  readonly failed_deliveries: number;
}

/** Figures of a period for the reseller: each is an index range, and links to the list of what it counts. */
@Injectable()
export class BusinessNumbers {
  private readonly sold;
  private readonly counts;

  constructor(
    database: Database,
    private readonly incomeDays: IncomeDays,
    private readonly deadLetters: DeadLetters,
    private readonly clock: ZonedClock,
  ) {
    this.sold = database.statement<Omit<Sold, 'income'> & { income: number | string }>(
      `SELECT CASE WHEN o.{Order.scene} = 'hosting' THEN o.{Order.name} ELSE '' END AS name, o.{Order.scene} AS scene, COUNT(*) AS n,
        SUM(ROUND(t.{PaymentTransaction.amount} * 100) - COALESCE((SELECT SUM(ROUND(r.{Refund.amount} * 100)) FROM {Refund} r
          WHERE r.{Refund.orderId} = o.{Order.id} AND r.{Refund.state} = 'done'), 0)) AS income
       FROM {PaymentTransaction} t JOIN {Order} o ON o.{Order.id} = t.{PaymentTransaction.orderId}
       WHERE t.{PaymentTransaction.createdAt} >= ?
       GROUP BY CASE WHEN o.{Order.scene} = 'hosting' THEN o.{Order.name} ELSE '' END, o.{Order.scene} ORDER BY income DESC, scene, name
       LIMIT ${MAX_SOLD}`,
    );
    const host = 'SELECT COUNT(*) FROM {HostingAccount} h WHERE h.';
    this.counts = database.statement<Record<string, number | string | null>>(
      `SELECT (${host}{HostingAccount.createdAt} >= ?) AS hosts_new,
        (${host}{HostingAccount.expiresOn} >= ? AND h.{HostingAccount.expiresOn} <= ?) AS hosts_ending,
        (${host}{HostingAccount.expiresOn} >= ? AND h.{HostingAccount.expiresOn} < ?) AS hosts_ended,
        (SELECT COUNT(*) FROM {Order} o WHERE o.{Order.status} = 'unpaid') AS orders_open,
        (SELECT SUM(ROUND(o.{Order.amount} * 100)) FROM {Order} o WHERE o.{Order.status} = 'unpaid') AS orders_open_sum,
        (SELECT COUNT(DISTINCT r.{Refund.orderId}) FROM {Refund} r WHERE r.{Refund.state} = 'pending') AS refunds_waiting,
        (SELECT COUNT(*) FROM {SecondPayment} s WHERE s.{SecondPayment.refundedAt} IS NULL) AS second_payments`,
    );
  }

  /** @param count number of days up to today, 1 to 366 */
  async last(count: number): Promise<Business> {
    const today = this.clock.today();
    const day = (off: number): string => new Date(Date.parse(today) + off * DAY_MS).toISOString().slice(0, 10);
    const days = await this.incomeDays.net(count);
    const { since } = days[0]!;
    const [sold, counts, failed] = await Promise.all([
      this.sold.all(since),
      this.counts.get(since, today, day(count), day(-count), today),
      this.deadLetters.count(),
    ]);
    const of = (name: string): number => Number(counts?.[name] ?? 0);
    const sum = (value: (one: NetDay) => number): number => days.reduce((total, one) => total + value(one), 0);
    return {
      days,
      sold: sold.map((one) => ({ ...one, n: Number(one.n), income: Number(one.income) })),
      first: days[0]!.day,
      last: today,
      income: sum(({ income, refunded }) => income - refunded),
      refunded: sum(({ refunded }) => refunded),
      orders: sum(({ orders }) => orders),
      hosts_new: of('hosts_new'),
      hosts_ending: of('hosts_ending'),
      hosts_ended: of('hosts_ended'),
      orders_open: of('orders_open'),
      orders_open_sum: of('orders_open_sum'),
      refunds_waiting: of('refunds_waiting'),
      second_payments: of('second_payments'),
      failed_deliveries: failed,
    };
  }
}

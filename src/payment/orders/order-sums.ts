import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import type { OrderStatus } from '../../sdk/index.js';

import { orderConditions, type OrderChoice } from './order-list.js';

/** Totals of the orders that match a filter; amounts in fen. */
export interface OrderTotals {
  /** Number of orders by state. */
  readonly counts: Readonly<Record<OrderStatus, number>>;
  /** Total of the unpaid orders. */
  readonly unpaid: number;
  /** Total paid, including refunded amounts. */
  readonly paid: number;
  /** Total refunded. */
  readonly refunded: number;
}

const STATES: readonly OrderStatus[] = ['unpaid', 'paid', 'closed', 'refunded', 'partly_refunded'];

const WAS_PAID: readonly OrderStatus[] = ['paid', 'refunded', 'partly_refunded'];

interface StateRow {
  readonly status: OrderStatus;
  readonly n: number | string;
  readonly fen: number | string | null;
  readonly refunded: number | string | null;
}

/** Computes totals of orders in one query. */
@Injectable()
export class OrderSums {
  constructor(private readonly database: Database) {}

  /**
   * Returns the totals of all matching orders.
   *
   * @throws PaymentError SEARCH_MODE_UNKNOWN, SEARCH_FIELD_UNKNOWN
   */
  async of(choice: OrderChoice): Promise<OrderTotals> {
    const { conditions, params } = orderConditions(choice);
    // The plus prevents the engine from scanning all orders by state if another index selects the few matching ones.
    const group = conditions.length > (choice.qk ? 1 : 0) ? '+{Order.status}' : '{Order.status}';
    const rows = await this.database
      .statement<StateRow>(
        `SELECT {Order.status} AS status, COUNT(*) AS n, SUM(ROUND({Order.amount} * 100)) AS fen,
           SUM(CASE WHEN {Order.status} IN ('refunded', 'partly_refunded') THEN
             (SELECT SUM(ROUND(r.{Refund.amount} * 100)) FROM {Refund} r
              WHERE r.{Refund.orderId} = {Order}.{Order.id} AND r.{Refund.state} = 'done') END) AS refunded
         FROM {Order} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''} GROUP BY ${group}`,
      )
      .all(...params);
    const sum = (of: 'n' | 'fen' | 'refunded', states: readonly OrderStatus[]): number =>
      rows.filter(({ status }) => states.includes(status)).reduce((total, row) => total + Number(row[of] ?? 0), 0);
    return {
      counts: Object.fromEntries(STATES.map((state) => [state, sum('n', [state])])) as Record<OrderStatus, number>,
      unpaid: sum('fen', ['unpaid']),
      paid: sum('fen', WAS_PAID),
      refunded: sum('refunded', WAS_PAID),
    };
  }
}

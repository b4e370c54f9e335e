import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import type { Order } from '../entities/index.js';

import { ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-row.js';

/** Reads the orders of a customer: their own, and those of their hosts. */
@Injectable()
export class CustomerOrders {
  private readonly select;
  private readonly count;

  constructor(database: Database) {
    // Each part uses its own index; an order has one owner, so the parts do not overlap.
    const mine = `(SELECT {Order.id} AS found FROM {Order} WHERE {Order.ownerKind} = 'customer' AND {Order.ownerId} = ?
         UNION ALL
         SELECT o.{Order.id} AS found FROM {HostingAccount} h
         JOIN {Order} o ON o.{Order.ownerKind} = 'account' AND o.{Order.ownerId} = h.{HostingAccount.id}
         WHERE h.{HostingAccount.ownerId} = ?
       ) mine`;
    this.count = database.statement<{ total: number }>(`SELECT COUNT(*) AS total FROM ${mine}`);
    this.select = database.statement<OrderRow>(
      `SELECT ${ORDER_COLUMNS} FROM ${mine} JOIN {Order} ON {Order}.{Order.id} = mine.found ORDER BY {Order}.{Order.id} DESC
        LIMIT ? OFFSET ?`,
    );
  }

  /** Returns the number of orders. */
  async countOf(customerId: number): Promise<number> {
    return Number((await this.count.get(customerId, customerId))?.total ?? 0);
  }

  /** Returns the orders, newest first. */
  async of(customerId: number, offset: number, limit: number): Promise<Order[]> {
    return (await this.select.all(customerId, customerId, limit, offset)).map(orderFromRow);
  }
}

import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';

import type { Order } from './entities/index.js';
import { ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-row.js';

/** Reads the orders of a customer: his own, and those of the hosts that belong to him. */
@Injectable()
export class CustomerOrders {
  private readonly select;
  private readonly count;

  constructor(database: Database) {
    // Each part from its index; an order is somebody's, so none is in both.
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

  /** How many there are. */
  async countOf(customerId: number): Promise<number> {
    return Number((await this.count.get(customerId, customerId))?.total ?? 0);
  }

  /** Newest first. */
  async of(customerId: number, offset: number, limit: number): Promise<Order[]> {
    return (await this.select.all(customerId, customerId, limit, offset)).map(orderFromRow);
  }
}

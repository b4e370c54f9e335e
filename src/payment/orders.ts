import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, toYuan } from '../common/index.js';
import { BaseUrl } from '../config/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import type { OrderRecord, OrderSummary } from '../sdk/index.js';

import type { Order } from './entities/index.js';
import { PaymentError } from './errors.js';
import { OrderNumbers } from './order-number.js';
import { toOrderRecord, toOrderSummary } from './order-record.js';
import { ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-row.js';
import { checkOrder, isPayType, type NewOrder } from './order-rules.js';

/** A million numbers a second: ten in a row that are taken mean that something else is wrong. */
const MAX_NUMBER_ATTEMPTS = 10;

/** The orders of `SVC_dd`. Paying them is {@link Settlement}'s alone. */
@Injectable()
export class Orders {
  private readonly insert;
  private readonly byId;
  private readonly byNumber;
  private readonly own;
  private readonly setType;
  private readonly setClosed;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly baseUrl: BaseUrl,
    private readonly numbers: OrderNumbers,
  ) {
    this.insert = database.statement(
      `INSERT INTO {Order} ({Order.number}, {Order.user}, {Order.name}, {Order.amount}, {Order.type}, {Order.scene},
        {Order.status}, {Order.context}, {Order.accessKey}, {Order.ip}, {Order.createdAt})
       VALUES (?, ?, ?, ?, ?, ?, 'unpaid', ?, ?, ?, ?)`,
    );
    this.byId = database.statement<OrderRow>(`SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.id} = ?`);
    this.byNumber = database.statement<OrderRow>(`SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.number} = ?`);
    this.own = database.statement<OrderRow>(
      `SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.number} = ? AND {Order.user} = ?`,
    );
    this.setType = database.statement(
      `UPDATE {Order} SET {Order.type} = ? WHERE {Order.id} = ? AND {Order.status} IN ('unpaid', 'closed')`,
    );
    this.setClosed = database.statement(
      `UPDATE {Order} SET {Order.status} = 'closed' WHERE {Order.id} = ? AND {Order.status} = 'unpaid'`,
    );
  }

  /**
   * Makes an unpaid order. Its user and scene need not exist, its type may be left for the buyer to choose.
   *
   * @throws PaymentError ORDER_INVALID naming the fields that are wrong
   */
  async create(request: NewOrder): Promise<Order> {
    const order = checkOrder(request);
    const accessKey = randomBytes(24).toString('base64url');
    const createdAt = this.clock.now();
    for (let attempt = 1; attempt <= MAX_NUMBER_ATTEMPTS; attempt += 1) {
      const number = this.numbers.next(createdAt);
      try {
        const { insertId } = await this.insert.run(
          number,
          order.user,
          order.name,
          toYuan(order.amount),
          order.type,
          order.scene,
          order.context,
          accessKey,
          order.ip,
          createdAt,
        );
        const context = JSON.parse(order.context) as Record<string, unknown>;
        return { ...order, context, id: insertId, number, status: 'unpaid', accessKey, createdAt, paidAt: null };
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
      }
    }
    throw new PaymentError('ORDER_NUMBER_TAKEN');
  }

  /** The order of that id (a number) or order number (a string). */
  async get(idOrNumber: number | string): Promise<Order | null> {
    const row = typeof idOrNumber === 'number' ? await this.byId.get(idOrNumber) : await this.byNumber.get(idOrNumber);
    return row ? orderFromRow(row) : null;
  }

  /** The order of that number, if it is that user's. */
  async getOwn(number: string, user: string): Promise<Order | null> {
    const row = await this.own.get(number, user);
    return row ? orderFromRow(row) : null;
  }

  /** Says how the order is to be paid; false once it is paid or where `type` is no payment type string. */
  async chooseType(id: number, type: string): Promise<boolean> {
    if (!isPayType(type)) return false;
    return (await this.setType.run(type, id)).affected === 1;
  }

  /** Closes an unpaid order; false where it is not unpaid. A payment that comes late still settles it. */
  async close(id: number): Promise<boolean> {
    return (await this.setClosed.run(id)).affected === 1;
  }

  /** The order as gateways and listeners get it. */
  toOrderRecord(order: Order): OrderRecord {
    return toOrderRecord(order, this.baseUrl.current());
  }

  /** The order with its state, as `svc.orders` answers it. */
  toOrderSummary(order: Order): OrderSummary {
    return toOrderSummary(order, this.baseUrl.current());
  }
}

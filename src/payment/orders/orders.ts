import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, columnOfFen } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import type { OrderOwner, OrderRecord, OrderSummary, PaidOrdersQuery } from '../../sdk/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';

import { OrderNumbers } from './order-number.js';
import { ownerColumns, toOrderRecord, toOrderSummary } from './order-record.js';
import { NOT_HELD, ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-row.js';
import { checkOrder, isOwner, isPayType, type CheckedOrder, type NewOrder, type OrderDiscount } from './order-rules.js';
import { parsePayType, payType } from './payment-type.js';

/** There are a million numbers per second: ten collisions in a row indicate another problem. */
const MAX_NUMBER_ATTEMPTS = 10;

/** Orders in `SVC_dd`. Only {@link Settlement} marks them as paid. */
@Injectable()
export class Orders {
  private readonly insert;
  private readonly byId;
  private readonly byNumber;
  private readonly byRequest;
  private readonly own;
  private readonly setType;
  private readonly setClosed;
  private readonly removeNew;
  private readonly setOver;
  private readonly paidRows;
  private readonly setOwner;
  private readonly renewSent;
  private readonly insertSent;
  private readonly lastSent;
  private readonly customerOf;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly baseUrl: BaseUrl,
    private readonly numbers: OrderNumbers,
  ) {
    this.insert = database.statement(
      `INSERT INTO {Order} ({Order.number}, {Order.user}, {Order.ownerKind}, {Order.ownerId}, {Order.name}, {Order.amount}, {Order.type},
        {Order.scene},
        {Order.status}, {Order.context}, {Order.accessKey}, {Order.ip}, {Order.createdAt}, {Order.requestKey}, {Order.coupon},
        {Order.discount})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'unpaid', ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.byId = database.statement<OrderRow>(`SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.id} = ?`);
    this.byNumber = database.statement<OrderRow>(`SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.number} = ?`);
    this.byRequest = database.statement<OrderRow>(`SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.requestKey} = ?`);
    this.own = database.statement<OrderRow>(
      `SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.number} = ? AND {Order.ownerKind} = 'account' AND {Order.ownerId} = ?`,
    );
    this.setType = database.statement(
      `UPDATE {Order} SET {Order.type} = ? WHERE {Order.id} = ? AND {Order.status} IN ('unpaid', 'closed')`,
    );
    // In this form both engines start the index scan at the last order.
    this.paidRows = database.statement<OrderRow>(
      `SELECT ${ORDER_COLUMNS} FROM {Order} WHERE {Order.paidAt} >= ? AND ({Order.paidAt} > ? OR {Order.id} > ?)
        AND {Order.scene} = ? AND {Order.status} = 'paid' ORDER BY {Order.paidAt}, {Order.id} LIMIT ?`,
    );
    this.setOwner = database.statement(
      `UPDATE {Order} SET {Order.ownerKind} = ?, {Order.ownerId} = ? WHERE {Order.id} = ? AND {Order.ownerKind} IS NULL`,
    );
    const ofDispatch = '{OrderDispatch.orderId} = ? AND {OrderDispatch.gateway} = ?';
    this.renewSent = database.statement(
      `UPDATE {OrderDispatch} SET {OrderDispatch.sentAt} = ? WHERE ${ofDispatch} AND {OrderDispatch.method} = ?`,
    );
    this.insertSent = database.statement(
      `${database.insertIgnore} {OrderDispatch} ({OrderDispatch.sentAt}, {OrderDispatch.orderId}, {OrderDispatch.gateway},
        {OrderDispatch.method})
       VALUES (?, ?, ?, ?)`,
    );
    this.lastSent = database.statement<{ method: string }>(
      `SELECT {OrderDispatch.method} AS method FROM {OrderDispatch} WHERE ${ofDispatch}
       ORDER BY {OrderDispatch.sentAt} DESC, {OrderDispatch.id} DESC LIMIT 1`,
    );
    this.customerOf = database.statement<{ id: number }>('SELECT {Customer.id} AS id FROM {Customer} WHERE {Customer.id} = ?');
    this.removeNew = database.statement("DELETE FROM {Order} WHERE {Order.id} = ? AND {Order.status} = 'unpaid'");
    this.setClosed = database.statement(`UPDATE {Order} SET {Order.status} = 'closed' WHERE {Order.id} = ? AND {Order.status} = 'unpaid'`);
    this.setOver = database.statement(
      `UPDATE {Order} SET {Order.status} = 'closed' WHERE {Order.id} = ? AND {Order.status} = 'unpaid' AND ${NOT_HELD}`,
    );
  }

  /**
   * Creates an unpaid order. Its user and scene need not exist, a customer as its owner must; its type may be left for the buyer
   * to choose; without an owner it belongs to nobody, even if an account has its user's name. A known request key returns
   * its existing order, whatever it was for.
   *
   * @throws PaymentError ORDER_INVALID naming the invalid fields
   */
  async create(request: NewOrder): Promise<Order> {
    return (await this.createOnce(request)).order;
  }

  /**
   * As {@link create}, but also returns whether this call created it.
   *
   * @param discount discount by a coupon; the order's amount is reduced by it
   */
  async createOnce(request: NewOrder, discount: OrderDiscount | null = null): Promise<{ order: Order; isNew: boolean }> {
    const order = checkOrder(request);
    if (!order.owner || !('customer' in order.owner)) return this.write(order, request.requestKey ?? null, discount);
    const { customer } = order.owner;
    return this.database.transaction(async () => {
      // The lock serializes with the customer's removal: a customer with orders is not removed, and a removed one cannot order.
      await this.database.lockRow('Customer', 'id', customer);
      if (!(await this.customerOf.get(customer)))
        throw new PaymentError('ORDER_INVALID', { field: 'owner' }, { owner: 'payment.field.owner' });
      return this.write(order, request.requestKey ?? null, discount);
    });
  }

  private async write(
    order: CheckedOrder,
    requestKey: string | null,
    discount: OrderDiscount | null,
  ): Promise<{ order: Order; isNew: boolean }> {
    const { owner, ...columns } = { ...order, amount: order.amount - (discount?.amount ?? 0) };
    const taken = { coupon: discount?.coupon ?? null, discount: discount?.amount ?? 0 };
    const owned = ownerColumns(owner);
    const accessKey = randomBytes(24).toString('base64url');
    const createdAt = this.clock.now();
    for (let attempt = 1; attempt <= MAX_NUMBER_ATTEMPTS; attempt += 1) {
      const number = this.numbers.next(createdAt);
      try {
        const { insertId } = await this.insert.run(
          number,
          order.user,
          owned.ownerKind,
          owned.ownerId,
          order.name,
          columnOfFen(columns.amount),
          order.type,
          order.scene,
          order.context,
          accessKey,
          order.ip,
          createdAt,
          requestKey,
          taken.coupon,
          columnOfFen(taken.discount),
        );
        const context = JSON.parse(order.context) as Record<string, unknown>;
        const row = { id: insertId, number, status: 'unpaid', accessKey, createdAt, paidAt: null, heldUntil: null, requestKey } as const;
        return { order: { ...columns, ...taken, ...owned, ...row, context }, isNew: true };
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        const made = await this.ofRequest(requestKey);
        if (made) return { order: made, isNew: false };
      }
    }
    throw new PaymentError('ORDER_NUMBER_TAKEN');
  }

  /** Returns the order of a request key; null if none. */
  async ofRequest(requestKey: string | null | undefined): Promise<Order | null> {
    const row = requestKey ? await this.byRequest.get(requestKey) : undefined;
    return row ? orderFromRow(row) : null;
  }

  /** Deletes an order that was created in this very transaction, so that nobody has seen it. */
  async withdraw(id: number): Promise<void> {
    await this.removeNew.run(id);
  }

  /** Finds by id (a number) or order number (a string). */
  async get(idOrNumber: number | string): Promise<Order | null> {
    const row = typeof idOrNumber === 'number' ? await this.byId.get(idOrNumber) : await this.byNumber.get(idOrNumber);
    return row ? orderFromRow(row) : null;
  }

  /** Returns the order of that number if it belongs to that account. */
  async getOwn(number: string, accountId: number): Promise<Order | null> {
    const row = await this.own.get(number, accountId);
    return row ? orderFromRow(row) : null;
  }

  /** Returns paid orders of a scene, by payment time, then id. */
  async paid({ scene, since, after, limit = 100 }: PaidOrdersQuery): Promise<Order[]> {
    const from = after?.paidAt ? new Date(after.paidAt) : since;
    if (!(from instanceof Date) || Number.isNaN(from.getTime())) throw new PaymentError('ORDER_INVALID', { field: 'since' });
    const rows = await this.paidRows.all(from, from, after?.id ?? 0, String(scene), Math.min(Math.max(Math.trunc(limit) || 1, 1), 500));
    return rows.map(orderFromRow);
  }

  /** Assigns an owner to an order without one; false if it has one, the order does not exist, or `owner` is invalid. */
  async assign(idOrNumber: number | string, owner: OrderOwner): Promise<boolean> {
    const order = isOwner(owner) ? await this.get(idOrNumber) : null;
    if (!order) return false;
    const { ownerKind, ownerId } = ownerColumns(owner);
    return (await this.setOwner.run(ownerKind, ownerId, order.id)).affected === 1;
  }

  /**
   * Sets the payment type, and remembers the gateways of the new and the previous type: a payment through either settles the order.
   * Returns false once it is paid, or if `type` is no payment type string.
   */
  async chooseType(id: number, type: string): Promise<boolean> {
    if (!isPayType(type)) return false;
    return this.database.transaction(async () => {
      const before = await this.byId.get(id);
      if ((await this.setType.run(type, id)).affected !== 1) return false;
      for (const sent of new Set([before?.type ?? '', type])) await this.rememberSent(id, sent);
      return true;
    });
  }

  /**
   * Returns the payment type of `order` at a gateway: its current one, else the method it was last sent there with; null if it was
   * never sent there.
   */
  async typeAt(order: Order, gateway: string): Promise<string | null> {
    const own = parsePayType(order.type);
    if (own && own.slug === gateway) return order.type;
    const sent = await this.lastSent.get(order.id, gateway);
    return sent ? payType(gateway, sent.method) : null;
  }

  /**
   * Closes an unpaid order; returns false if it is not unpaid. A late payment still settles it.
   *
   * @param now if given, closes it only if it is not held at that time
   */
  async close(id: number, now?: Date): Promise<boolean> {
    return (await (now ? this.setOver.run(id, now) : this.setClosed.run(id))).affected === 1;
  }

  private async rememberSent(orderId: number, type: string): Promise<void> {
    const parsed = parsePayType(type);
    if (!parsed) return;
    const values = [this.clock.now(), orderId, parsed.slug, parsed.method] as const;
    const { affected } = await this.renewSent.run(...values);
    if (affected === 0) await this.insertSent.run(...values);
  }

  /** Returns the order as passed to gateways and listeners. */
  toOrderRecord(order: Order): OrderRecord {
    return toOrderRecord(order, this.baseUrl.current());
  }

  /** Returns the order with its state, as returned by `svc.orders`. */
  toOrderSummary(order: Order): OrderSummary {
    return toOrderSummary(order, this.baseUrl.current());
  }
}

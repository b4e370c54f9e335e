import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, columnOfFen } from '../common/index.js';
import { BaseUrl } from '../config/index.js';
import { Database, isUniqueViolation } from '../database/index.js';
import type { OrderOwner, OrderRecord, OrderSummary, PaidOrdersQuery } from '../sdk/index.js';

import type { Order } from './entities/index.js';
import { PaymentError } from './errors.js';
import { OrderNumbers } from './order-number.js';
import { ownerColumns, toOrderRecord, toOrderSummary } from './order-record.js';
import { NOT_HELD, ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-row.js';
import { checkOrder, isOwner, isPayType, type CheckedOrder, type NewOrder, type OrderDiscount } from './order-rules.js';
import { parsePayType, payType } from './payment-type.js';

/** A million numbers a second: ten in a row that are taken mean that something else is wrong. */
const MAX_NUMBER_ATTEMPTS = 10;

/** The orders of `SVC_dd`. Paying them is {@link Settlement}'s alone. */
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
    // In this form both engines walk the index from the last order on.
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
   * Makes an unpaid order. Its user and scene need not exist, an owner that is a customer must; its type may be left for the buyer
   * to choose; without an owner it is nobody's, whoever is called like its user. A request key that made an order before answers
   * that one, whatever it was for.
   *
   * @throws PaymentError ORDER_INVALID naming the fields that are wrong
   */
  async create(request: NewOrder): Promise<Order> {
    return (await this.createOnce(request)).order;
  }

  /**
   * As {@link create}, for who wants to know whether this call made it.
   *
   * @param discount what a coupon takes off; the order is to be paid for what is left
   */
  async createOnce(request: NewOrder, discount: OrderDiscount | null = null): Promise<{ order: Order; isNew: boolean }> {
    const order = checkOrder(request);
    if (!order.owner || !('customer' in order.owner)) return this.write(order, request.requestKey ?? null, discount);
    const { customer } = order.owner;
    return this.database.transaction(async () => {
      // Nobody removes him from here on: who has ordered is not removed, and who was orders nothing.
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

  /** The order a request key made; null for none. */
  async ofRequest(requestKey: string | null | undefined): Promise<Order | null> {
    const row = requestKey ? await this.byRequest.get(requestKey) : undefined;
    return row ? orderFromRow(row) : null;
  }

  /** Takes back an order that was made in this very transaction: nobody has seen it. */
  async withdraw(id: number): Promise<void> {
    await this.removeNew.run(id);
  }

  /** The order of that id (a number) or order number (a string). */
  async get(idOrNumber: number | string): Promise<Order | null> {
    const row = typeof idOrNumber === 'number' ? await this.byId.get(idOrNumber) : await this.byNumber.get(idOrNumber);
    return row ? orderFromRow(row) : null;
  }

  /** The order of that number, if it is that account's. */
  async getOwn(number: string, accountId: number): Promise<Order | null> {
    const row = await this.own.get(number, accountId);
    return row ? orderFromRow(row) : null;
  }

  /** Paid orders of a scene by when they were paid, then by id. */
  async paid({ scene, since, after, limit = 100 }: PaidOrdersQuery): Promise<Order[]> {
    const from = after?.paidAt ? new Date(after.paidAt) : since;
    if (!(from instanceof Date) || Number.isNaN(from.getTime())) throw new PaymentError('ORDER_INVALID', { field: 'since' });
    const rows = await this.paidRows.all(from, from, after?.id ?? 0, String(scene), Math.min(Math.max(Math.trunc(limit) || 1, 1), 500));
    return rows.map(orderFromRow);
  }

  /** Gives an order that is nobody's an owner; false where it has one, there is no such order, or `owner` is none. */
  async assign(idOrNumber: number | string, owner: OrderOwner): Promise<boolean> {
    const order = isOwner(owner) ? await this.get(idOrNumber) : null;
    if (!order) return false;
    const { ownerKind, ownerId } = ownerColumns(owner);
    return (await this.setOwner.run(ownerKind, ownerId, order.id)).affected === 1;
  }

  /**
   * Says how the order is to be paid, and remembers both the gateway it goes to now and the one it was meant for before: a payment
   * through either settles it. False once it is paid or where `type` is no payment type string.
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
   * The payment type of `order` at that gateway: what it names itself, else the method it was last sent there with; null where it
   * never was to be paid there.
   */
  async typeAt(order: Order, gateway: string): Promise<string | null> {
    const own = parsePayType(order.type);
    if (own && own.slug === gateway) return order.type;
    const sent = await this.lastSent.get(order.id, gateway);
    return sent ? payType(gateway, sent.method) : null;
  }

  /**
   * Closes an unpaid order; false where it is not unpaid. A payment that comes late still settles it.
   *
   * @param now closes it only if nothing keeps it open then
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

  /** The order as gateways and listeners get it. */
  toOrderRecord(order: Order): OrderRecord {
    return toOrderRecord(order, this.baseUrl.current());
  }

  /** The order with its state, as `svc.orders` answers it. */
  toOrderSummary(order: Order): OrderSummary {
    return toOrderSummary(order, this.baseUrl.current());
  }
}

import { Injectable } from '@nestjs/common';

import { DAY_MS, MINUTE_MS, Clock } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import { OrderInquiry, type Said } from '../entities/index.js';

/** Minutes before each inquiry; the last value repeats. The first gives gateways with delayed search time to catch up. */
const PAUSES = [2, 3, 5, 10, 20, 40, 80, 160, 320, 360] as const;
/** How long after dispatch a gateway is queried automatically, in milliseconds: closed orders may still be paid. */
const ASKED_FOR_MS = 3 * DAY_MS;
/** Minimum interval between manual inquiries of an order at a gateway, in milliseconds. */
const ANSWER_KEPT_MS = 10_000;

/** An inquiry that is due. */
export interface DueInquiry {
  readonly id: number;
  readonly orderId: number;
  readonly asks: number;
  readonly sentAt: Date;
}

/** Schedule and results of inquiries, by order and gateway. */
@Injectable()
export class InquiryRepository {
  private readonly renew;
  private readonly insert;
  private readonly dueRows;
  private readonly claimDue;
  private readonly claimNow;
  private readonly sentTo;
  private readonly open;
  private readonly countOpen;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    const key = '{OrderInquiry.orderId} = ? AND {OrderInquiry.gateway} = ?';
    this.renew = database.statement(
      `UPDATE {OrderInquiry} SET {OrderInquiry.sentAt} = ?, {OrderInquiry.dueAt} = ?, {OrderInquiry.asks} = 0 WHERE ${key}`,
    );
    this.insert = database.statement(
      `${database.insertIgnore} {OrderInquiry} ({OrderInquiry.sentAt}, {OrderInquiry.dueAt}, {OrderInquiry.orderId}, {OrderInquiry.gateway})
       VALUES (?, ?, ?, ?)`,
    );
    this.dueRows = database.statement<{ id: number; orderId: number; asks: number; sentAt: string }>(
      `SELECT {OrderInquiry.id} AS id, {OrderInquiry.orderId} AS orderId, {OrderInquiry.asks} AS asks, {OrderInquiry.sentAt} AS sentAt
       FROM {OrderInquiry} WHERE {OrderInquiry.gateway} = ? AND {OrderInquiry.dueAt} <= ?
       ORDER BY {OrderInquiry.dueAt}, {OrderInquiry.id} LIMIT ?`,
    );
    this.claimDue = database.statement(
      `UPDATE {OrderInquiry} SET {OrderInquiry.dueAt} = ?, {OrderInquiry.asks} = {OrderInquiry.asks} + 1, {OrderInquiry.askedAt} = ?
       WHERE {OrderInquiry.id} = ? AND {OrderInquiry.asks} = ? AND {OrderInquiry.dueAt} <= ?`,
    );
    this.claimNow = database.statement(
      `UPDATE {OrderInquiry} SET {OrderInquiry.askedAt} = ? WHERE ${key}
        AND ({OrderInquiry.askedAt} IS NULL OR {OrderInquiry.askedAt} <= ?)`,
    );
    this.sentTo = database.statement<{ gateway: string }>(
      `SELECT DISTINCT {OrderDispatch.gateway} AS gateway FROM {OrderDispatch} WHERE {OrderDispatch.orderId} = ?
        ORDER BY {OrderDispatch.gateway}`,
    );
    const openOrders = `FROM {Order} o JOIN {OrderDispatch} d ON d.{OrderDispatch.orderId} = o.{Order.id}
       WHERE o.{Order.status} IN ('unpaid', 'closed') AND o.{Order.createdAt} >= ? AND o.{Order.createdAt} < ?`;
    this.open = database.statement<{ id: number }>(
      `SELECT DISTINCT o.{Order.id} AS id ${openOrders} AND o.{Order.id} > ? ORDER BY o.{Order.id} LIMIT ?`,
    );
    this.countOpen = database.statement<{ total: number }>(`SELECT COUNT(DISTINCT o.{Order.id}) AS total ${openOrders}`);
  }

  /** Records that the order was sent to a gateway now, and starts polling. */
  async sent(orderId: number, gateway: string): Promise<void> {
    const now = this.clock.now();
    const values = [now, after(now, 0), orderId, gateway] as const;
    if ((await this.renew.run(...values)).affected === 0) await this.insert.run(...values);
  }

  /** Returns a gateway's due inquiries, the longest due first. */
  async due(gateway: string, limit: number): Promise<DueInquiry[]> {
    const rows = await this.dueRows.all(gateway, this.clock.now(), limit);
    return rows.map((row) => ({ ...row, sentAt: fromSqlTime(row.sentAt) }));
  }

  /** Claims a due inquiry; returns whether the caller got it. Also sets the next one, so that polling ends eventually. */
  async claim({ id, asks, sentAt }: DueInquiry): Promise<boolean> {
    const now = this.clock.now();
    const next = after(now, asks + 1);
    const due = next.getTime() - sentAt.getTime() > ASKED_FOR_MS ? null : next;
    return (await this.claimDue.run(due, now, id, asks, now)).affected === 1;
  }

  /** Claims a manual inquiry; returns false if one was made just now. */
  async take(orderId: number, gateway: string): Promise<boolean> {
    const now = this.clock.now();
    await this.insert.run(now, null, orderId, gateway);
    return (await this.claimNow.run(now, orderId, gateway, new Date(now.getTime() - ANSWER_KEPT_MS))).affected === 1;
  }

  /** Records the gateway's answer; a final one ends the polling. */
  async recordAnswer(orderId: number, gateway: string, said: Said, words: string, isLast: boolean): Promise<void> {
    await this.rows.update({ orderId, gateway }, { said, words: words.slice(0, 300), ...(isLast && { dueAt: null }) });
  }

  /** Returns the inquiries of one order. */
  of(orderId: number): Promise<OrderInquiry[]> {
    return this.rows.find({ where: { orderId }, order: { id: 'ASC' }, take: 50 });
  }

  /** Returns all gateways an order was sent to. */
  async gatewaysOf(orderId: number): Promise<string[]> {
    return (await this.sentTo.all(orderId)).map(({ gateway }) => gateway);
  }

  /** Returns the ids of unpaid orders created in a period that were sent to a gateway, by id. */
  async openOrders(from: Date, to: Date, afterId: number, limit: number): Promise<number[]> {
    return (await this.open.all(from, to, afterId, limit)).map(({ id }) => Number(id));
  }

  async openCount(from: Date, to: Date): Promise<number> {
    return Number((await this.countOpen.get(from, to))?.total ?? 0);
  }

  private get rows() {
    return this.database.repository(OrderInquiry);
  }
}

function after(now: Date, asks: number): Date {
  return new Date(now.getTime() + PAUSES[Math.min(asks, PAUSES.length - 1)]! * MINUTE_MS);
}

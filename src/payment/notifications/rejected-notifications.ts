import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { FailureLimits } from '../../auth/index.js';
import { DAY_MS, Clock, errorMessage, loggerFor, type TextRef } from '../../common/index.js';
import { Database, EntityPages, type SqlValue } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { AUDIT_LOCALE } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { RejectedNotification, type RejectedKind } from '../entities/index.js';
import { wordsOf } from '../gateways/index.js';
import { OrderHistoryRepository, Orders } from '../orders/index.js';

import { claimedNumber, contentOf, textOf } from './notify-content.js';
import { sayTrace, type NotifyTrace } from './notify-trace.js';

const log = loggerFor('payment');

/** Retention of rejected notifications, in milliseconds, and their maximum number. */
const RETENTION_MS = 90 * DAY_MS;
const MAX_ROWS = 5_000;
/** Maximum new rows per gateway and hour; further ones only appear in the process log. */
const NEW_ROWS = { limit: 300, windowSeconds: 3_600 };

/** A rejected notification. */
interface Rejected {
  readonly gateway: string;
  readonly kind: RejectedKind;
  readonly number: string;
  readonly reason: string;
  readonly ip: string;
  readonly content: string;
  readonly texts?: readonly TextRef[];
}

/** Filter, sorting and page. */
export interface RejectedQuery {
  readonly page: number;
  readonly limit: number;
  readonly sortOrder: 'asc' | 'desc';
  readonly gateway?: string;
  readonly kind?: string;
  /** Searched in number and reason. */
  readonly text?: string;
}

/**
 * Stores rejected payment notifications with the reason, so that a missed payment can be explained.
 * Limited in number, size and age.
 */
@Injectable()
export class RejectedNotifications {
  private readonly countAgain;
  private readonly insert;
  private readonly recent;
  private readonly removeOld;
  private readonly border;
  private readonly removeBefore;
  private readonly list: EntityPages<RejectedNotification>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly orders: Orders,
    private readonly history: OrderHistoryRepository,
    private readonly limits: FailureLimits,
  ) {
    this.countAgain = database.statement(
      `UPDATE {RejectedNotification} SET {RejectedNotification.times} = {RejectedNotification.times} + 1, {RejectedNotification.lastAt} = ?,
        {RejectedNotification.content} = ? WHERE {RejectedNotification.fingerprint} = ?`,
    );
    this.insert = database.statement(
      `${database.insertIgnore} {RejectedNotification} ({RejectedNotification.fingerprint}, {RejectedNotification.gateway},
        {RejectedNotification.kind}, {RejectedNotification.number}, {RejectedNotification.orderId},
        {RejectedNotification.reason}, {RejectedNotification.ip}, {RejectedNotification.content}, {RejectedNotification.firstAt},
        {RejectedNotification.lastAt}, {RejectedNotification.texts}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.recent = database.statement<{ total: number }>(
      'SELECT COUNT(*) AS total FROM {RejectedNotification} WHERE {RejectedNotification.lastAt} >= ? ' +
        'AND {RejectedNotification.orderId} IS NOT NULL',
    );
    this.removeOld = database.statement('DELETE FROM {RejectedNotification} WHERE {RejectedNotification.lastAt} < ?');
    this.border = database.statement<{ id: number }>(
      `SELECT {RejectedNotification.id} AS id FROM {RejectedNotification} ORDER BY {RejectedNotification.id} DESC
        LIMIT 1 OFFSET ${MAX_ROWS}`,
    );
    this.removeBefore = database.statement('DELETE FROM {RejectedNotification} WHERE {RejectedNotification.id} <= ?');
    this.list = new EntityPages(database, RejectedNotification);
  }

  /**
   * Stores a notification the gateway has handled, unless it was accepted. Never throws.
   *
   * @param refusal the gateway's response if it was a refusal, else null
   */
  async ofNotify(gateway: string, ctx: CallContext, trace: NotifyTrace, refusal: string | null): Promise<void> {
    if (trace.taken) return;
    const refused = trace.refusals.at(-1);
    const from = { gateway, ip: ctx.ip, content: contentOf(ctx) };
    if (refused) return this.keep({ ...from, kind: 'settlement', number: refused.number, reason: refused.reason });
    const { words: texts } = trace;
    if (texts.length === 0 && refusal === null) return;
    const reason = texts.length > 0 ? sayTrace(texts, AUDIT_LOCALE) : refusal!;
    await this.keep({ ...from, kind: 'gateway', number: claimedNumber(ctx), reason, ...(texts.length > 0 && { texts }) });
  }

  /** Stores a notification whose handling threw or timed out. Never throws. */
  async ofFailure(gateway: string, ctx: CallContext, trace: NotifyTrace, error: unknown): Promise<void> {
    if (trace.taken) return;
    const number = trace.refusals.at(-1)?.number ?? claimedNumber(ctx);
    await this.keep({ gateway, ip: ctx.ip, content: contentOf(ctx), kind: 'failed', number, reason: errorMessage(error) });
  }

  /** Stores a settlement refused outside of a notification. Never throws. */
  ofSettlement(gateway: string, number: string, reason: string, extra: unknown): Promise<void> {
    return this.keep({ gateway, ip: '', content: textOf(extra), kind: 'settlement', number, reason });
  }

  /** Returns one page and the total number; the newest first by default. */
  page({ page, limit, sortOrder, gateway, kind, text }: RejectedQuery): Promise<{ total: number; rows: RejectedNotification[] }> {
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    const add = (sql: string, ...values: SqlValue[]): void => {
      conditions.push(sql);
      params.push(...values);
    };
    if (gateway) add('{RejectedNotification.gateway} = ?', gateway);
    if (kind) add('{RejectedNotification.kind} = ?', kind);
    const within = (column: string): string => `INSTR(LOWER(${column}), LOWER(?)) > 0`;
    if (text) add(`(${within('{RejectedNotification.number}')} OR ${within('{RejectedNotification.reason}')})`, text, text);
    return this.list.page({ conditions, params, sort: null, direction: sortOrder, offset: (page - 1) * limit, limit });
  }

  find(id: number): Promise<RejectedNotification | null> {
    return this.database.repository(RejectedNotification).findOneBy({ id });
  }

  /** Returns the number of distinct ones within the last day about orders that were sent to the gateway. */
  async lastDay(): Promise<number> {
    return Number((await this.recent.get(new Date(this.clock.now().getTime() - DAY_MS)))?.total ?? 0);
  }

  /** Removes what exceeds the age or number limit. @returns the number removed */
  @Job({ name: 'rejected-notifications', everyMinutes: 60, catchUp: true })
  async trim(): Promise<number> {
    let removed = (await this.removeOld.run(new Date(this.clock.now().getTime() - RETENTION_MS))).affected;
    const border = await this.border.get();
    if (border) removed += (await this.removeBefore.run(border.id)).affected;
    return removed;
  }

  private async keep(rejected: Rejected): Promise<void> {
    try {
      await this.write({ ...rejected, number: rejected.number.slice(0, 40), reason: wordsOf(rejected.reason) });
    } catch (error) {
      log.error({ err: error, gateway: rejected.gateway }, 'a rejected payment notification could not be stored');
    }
  }

  private async write({ gateway, kind, number, reason, ip, content, texts }: Rejected): Promise<void> {
    const now = this.clock.now();
    const parts = [gateway, kind, number, reason, ip, now.toISOString().slice(0, 10)];
    const fingerprint = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    if ((await this.countAgain.run(now, content, fingerprint)).affected > 0) return;
    if ((await this.limits.count(`rejected:${gateway}`, 'all', NEW_ROWS)) > 0) {
      log.warn({ gateway, kind, number, reason }, 'a payment notification was rejected; too many to store');
      return;
    }
    const order = number === '' ? null : await this.orders.get(number);
    const orderId = order && (await this.orders.typeAt(order, gateway)) !== null ? order.id : null;
    const kept = texts ? JSON.stringify(texts) : null;
    const values = [fingerprint, gateway, kind, number, orderId, reason, ip.slice(0, 64), content, now, now, kept] as const;
    const { affected } = await this.insert.run(...values);
    // Refused settlements are already in the order's history. Otherwise the message is the gateway's, and the number unverified.
    if (affected === 1 && kind !== 'settlement' && orderId !== null)
      await this.history.add(orderId, 'unverified', { source: gateway }, { gateway, problem: texts ?? reason });
  }
}

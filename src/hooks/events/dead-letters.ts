import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime, likeAnywhere } from '../../database/index.js';
import type { DurableHook } from '../../sdk/index.js';

import { idOfListener } from './durable-listeners.js';
import { EventDispatcher } from './event-dispatcher.js';

/** A delivery that failed too often, or whose listener no longer exists. */
export interface DeadLetter {
  readonly id: number;
  readonly eventId: number;
  readonly hook: DurableHook;
  /** Key of the listener. */
  readonly listener: string;
  /** The id under which its owner registered it, or `#` and its position among the owner's listeners of the hook. */
  readonly listenerId: string;
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  readonly subject: string;
  readonly attempts: number;
  /** The listener's last error, or one of {@link WRITTEN_OFF}. */
  readonly error: string;
  /** When the delivery was given up. */
  readonly diedAt: Date;
}

/** An unfinished delivery: it waits for its first attempt, for a retry, or for its plugin. */
export type WaitingDelivery = Omit<DeadLetter, 'diedAt'> & {
  /** Earliest time of the next attempt. */
  readonly dueAt: Date;
};

interface DeliveryRow extends Omit<DeadLetter, 'diedAt' | 'error' | 'listenerId'> {
  readonly error: string | null;
  readonly dueAt: string;
}

/** Page and listener filter of a list of deliveries. */
export interface DeliveryQuery {
  /** Page number, starting at 1. */
  readonly page: number;
  readonly limit: number;
  /** Part of a listener's key, which contains plugin and hook; empty: all. */
  readonly text?: string;
}

/** Deliveries that could not be made, for the administrator to decide on. They are never removed automatically. */
@Injectable()
export class DeadLetters {
  private readonly dead;
  private readonly waiting;
  private readonly makeDue;
  private readonly revive;
  private readonly find;
  private readonly drop;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly dispatcher: EventDispatcher,
  ) {
    const where = `WHERE d.{EventDelivery.state} = ? AND (? = '' OR d.{EventDelivery.listenerKey} LIKE ? ESCAPE '!')`;
    const listOf = (order: string) => ({
      rows: database.statement<DeliveryRow>(
        `SELECT d.{EventDelivery.id} AS id, d.{EventDelivery.eventId} AS eventId, e.{DurableEvent.hook} AS hook,
          d.{EventDelivery.listenerKey} AS listener, d.{EventDelivery.owner} AS owner, d.{EventDelivery.subject} AS subject,
          d.{EventDelivery.attempts} AS attempts, d.{EventDelivery.lastError} AS error, d.{EventDelivery.dueAt} AS dueAt
         FROM {EventDelivery} d JOIN {DurableEvent} e ON e.{DurableEvent.id} = d.{EventDelivery.eventId}
         ${where} ORDER BY d.{EventDelivery.dueAt} ${order}, d.{EventDelivery.id} ${order} LIMIT ? OFFSET ?`,
      ),
      total: database.statement<{ total: number }>(`SELECT COUNT(*) AS total FROM {EventDelivery} d ${where}`),
    });
    this.dead = { state: 'dead', ...listOf('DESC') };
    this.waiting = { state: 'pending', ...listOf('ASC') };
    this.makeDue = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.dueAt} = ? WHERE {EventDelivery.id} = ? AND {EventDelivery.state} = 'pending'
       AND {EventDelivery.dueAt} > ?`,
    );
    this.revive = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'pending', {EventDelivery.dueAt} = ?, {EventDelivery.finishedAt} = NULL
       WHERE {EventDelivery.id} = ? AND {EventDelivery.state} = 'dead' AND EXISTS (SELECT 1 FROM {EventListener} l
        WHERE l.{EventListener.key} = {EventDelivery.listenerKey}
        AND (l.{EventListener.active} = 1 OR l.{EventListener.offSince} IS NOT NULL))`,
    );
    this.find = database.statement(
      `SELECT {EventDelivery.id} AS id FROM {EventDelivery} WHERE {EventDelivery.id} = ? AND {EventDelivery.state} = 'dead'`,
    );
    this.drop = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'discarded', {EventDelivery.dueAt} = ?, {EventDelivery.finishedAt} = ?
       WHERE {EventDelivery.id} = ? AND {EventDelivery.state} = 'dead'`,
    );
  }

  /** Number of dead letters. */
  async count(): Promise<number> {
    return Number((await this.dead.total.get('dead', '', ''))?.total ?? 0);
  }

  /** Returns one page, latest first. */
  async page(query: DeliveryQuery): Promise<{ total: number; rows: DeadLetter[] }> {
    const { total, rows } = await this.listed(this.dead, query);
    return { total, rows: rows.map(({ dueAt, ...row }) => ({ ...row, diedAt: dueAt })) };
  }

  /** Returns one page of waiting deliveries, next first. */
  waitingPage(query: DeliveryQuery): Promise<{ total: number; rows: WaitingDelivery[] }> {
    return this.listed(this.waiting, query);
  }

  /** Makes a delivery that waits for a retry due now. Returns false if no such delivery waits for a later time. */
  async tryNow(id: number): Promise<boolean> {
    const now = this.clock.now();
    const { affected } = await this.makeDue.run(now, id, now);
    if (affected === 1) this.dispatcher.wake();
    return affected === 1;
  }

  private async listed(
    { state, rows, total }: DeadLetters['dead'],
    { page, limit, text = '' }: DeliveryQuery,
  ): Promise<{ total: number; rows: WaitingDelivery[] }> {
    const wanted = [state, text, likeAnywhere(text)];
    const found = await rows.all(...wanted, limit, (page - 1) * limit);
    return {
      total: Number((await total.get(...wanted))?.total ?? 0),
      rows: found.map((row) => ({
        ...row,
        listenerId: idOfListener(row.owner, row.hook, row.listener),
        error: row.error ?? '',
        dueAt: fromSqlTime(row.dueAt),
      })),
    };
  }

  /** Returns whether this dead letter exists. */
  async has(id: number): Promise<boolean> {
    return (await this.find.get(id)) !== undefined;
  }

  /**
   * Allows one more attempt, now or as soon as its plugin is enabled; a failure makes it a dead letter again. Returns false if it is not a
   * dead letter (any more), or its listener no longer exists.
   */
  async retry(id: number): Promise<boolean> {
    const { affected } = await this.revive.run(this.clock.now(), id);
    if (affected === 1) this.dispatcher.wake();
    return affected === 1;
  }

  /** Discards a dead letter permanently. Returns false if it is not one (any more). */
  async discard(id: number): Promise<boolean> {
    const now = this.clock.now();
    return (await this.drop.run(now, now, id)).affected === 1;
  }
}

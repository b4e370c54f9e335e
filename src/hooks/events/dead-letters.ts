import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime, likeAnywhere } from '../../database/index.js';
import type { DurableHook } from '../../sdk/index.js';

import { idOfListener } from './durable-listeners.js';
import { EventDispatcher } from './event-dispatcher.js';

/** A delivery that failed too often, or that nobody listens to any more. */
export interface DeadLetter {
  readonly id: number;
  readonly eventId: number;
  readonly hook: DurableHook;
  /** Key of the listener. */
  readonly listener: string;
  /** By which its owner registered it, or `#` and its place among the listeners of the hook. */
  readonly listenerId: string;
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  readonly subject: string;
  readonly attempts: number;
  /** What the listener said last, or one of {@link WRITTEN_OFF}. */
  readonly error: string;
  /** When it was given up. */
  readonly diedAt: Date;
}

/** A delivery that has not been finished: it waits for its first attempt, for another one, or for its plugin. */
export type WaitingDelivery = Omit<DeadLetter, 'diedAt'> & {
  /** Not before. */
  readonly dueAt: Date;
};

interface DeliveryRow extends Omit<DeadLetter, 'diedAt' | 'error' | 'listenerId'> {
  readonly error: string | null;
  readonly dueAt: string;
}

/** Which page of them, and of which listeners. */
export interface DeliveryQuery {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** Part of the key of a listener, which names plugin and hook; empty: all. */
  readonly text?: string;
}

/** What could not be delivered, for the administrator to decide on. Nothing leaves by itself. */
@Injectable()
export class DeadLetters {
  private readonly dead;
  private readonly waiting;
  private readonly hurry;
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
    this.hurry = database.statement(
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

  /** How many there are. */
  async count(): Promise<number> {
    return Number((await this.dead.total.get('dead', '', ''))?.total ?? 0);
  }

  /** One page, latest first. */
  async page(query: DeliveryQuery): Promise<{ total: number; rows: DeadLetter[] }> {
    const { total, rows } = await this.listed(this.dead, query);
    return { total, rows: rows.map(({ dueAt, ...row }) => ({ ...row, diedAt: dueAt })) };
  }

  /** One page of what waits, next first. */
  waitingPage(query: DeliveryQuery): Promise<{ total: number; rows: WaitingDelivery[] }> {
    return this.listed(this.waiting, query);
  }

  /** Has one that waits for its next attempt tried as soon as its listener runs. False where none waits for a later time. */
  async tryNow(id: number): Promise<boolean> {
    const now = this.clock.now();
    const { affected } = await this.hurry.run(now, id, now);
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

  /** Whether there is such a dead letter. */
  async has(id: number): Promise<boolean> {
    return (await this.find.get(id)) !== undefined;
  }

  /**
   * Gives it one more attempt, now or as soon as its plugin is on; a failure brings it straight back. False when it is no dead
   * letter (any more), or nobody listens to it.
   */
  async retry(id: number): Promise<boolean> {
    const { affected } = await this.revive.run(this.clock.now(), id);
    if (affected === 1) this.dispatcher.wake();
    return affected === 1;
  }

  /** Gives it up for good. False when it is no dead letter (any more). */
  async discard(id: number): Promise<boolean> {
    const now = this.clock.now();
    return (await this.drop.run(now, now, id)).affected === 1;
  }
}

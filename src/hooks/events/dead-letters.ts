import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, fromSqlTime } from '../../database/index.js';
import type { DurableHook } from '../../sdk/index.js';

import { EventDispatcher } from './event-dispatcher.js';

/** A delivery that failed too often, or that nobody listens to any more. */
export interface DeadLetter {
  readonly id: number;
  readonly eventId: number;
  readonly hook: DurableHook;
  /** Key of the listener. */
  readonly listener: string;
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  readonly subject: string;
  readonly attempts: number;
  /** What the listener said last, or one of {@link WRITTEN_OFF}. */
  readonly error: string;
  /** When it was given up. */
  readonly diedAt: Date;
}

interface DeadLetterRow extends Omit<DeadLetter, 'diedAt' | 'error'> {
  readonly error: string | null;
  readonly diedAt: string;
}

/** What could not be delivered, for the administrator to decide on. Nothing leaves by itself. */
@Injectable()
export class DeadLetters {
  private readonly rows;
  private readonly counted;
  private readonly revive;
  private readonly find;
  private readonly drop;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly dispatcher: EventDispatcher,
  ) {
    this.rows = database.statement<DeadLetterRow>(
      `SELECT d.{EventDelivery.id} AS id, d.{EventDelivery.eventId} AS eventId, e.{DurableEvent.hook} AS hook,
        d.{EventDelivery.listenerKey} AS listener, d.{EventDelivery.owner} AS owner, d.{EventDelivery.subject} AS subject, d.{EventDelivery.attempts} AS attempts,
        d.{EventDelivery.lastError} AS error, d.{EventDelivery.dueAt} AS diedAt
       FROM {EventDelivery} d JOIN {DurableEvent} e ON e.{DurableEvent.id} = d.{EventDelivery.eventId}
       WHERE d.{EventDelivery.state} = 'dead'
       ORDER BY d.{EventDelivery.dueAt} DESC, d.{EventDelivery.id} DESC LIMIT ? OFFSET ?`,
    );
    this.counted = database.statement<{ total: number }>(
      `SELECT COUNT(*) AS total FROM {EventDelivery} WHERE {EventDelivery.state} = 'dead'`,
    );
    this.revive = database.statement(
      `UPDATE {EventDelivery} SET {EventDelivery.state} = 'pending', {EventDelivery.dueAt} = ?, {EventDelivery.finishedAt} = NULL
       WHERE {EventDelivery.id} = ? AND {EventDelivery.state} = 'dead' AND EXISTS (SELECT 1 FROM {EventListener} l
        WHERE l.{EventListener.key} = {EventDelivery.listenerKey} AND (l.{EventListener.active} = 1 OR l.{EventListener.offSince} IS NOT NULL))`,
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
    return Number((await this.counted.get())?.total ?? 0);
  }

  /** One page, latest first; `page` from 1, `limit` rows. */
  async page({ page, limit }: { page: number; limit: number }): Promise<{ total: number; rows: DeadLetter[] }> {
    const rows = await this.rows.all(limit, (page - 1) * limit);
    return {
      total: await this.count(),
      rows: rows.map((row) => ({
        ...row,
        error: row.error ?? '',
        diedAt: fromSqlTime(row.diedAt),
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

import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database, toSqlTime } from '../../database/index.js';
import type { DurableHook, HookArguments } from '../../sdk/index.js';

import { LISTENER_MEMORY_DAYS } from './event.entities.js';

/** A state change to report to listeners. */
export interface EventRecord<H extends DurableHook = DurableHook> {
  readonly hook: H;
  /** The subject, such as `order:12` or `host:7`: events of one subject keep their order. */
  readonly subject: string;
  /** The actor that caused it: `admin`, `user`, `api`, `cron`, or a plugin's slug. */
  readonly source: string;
  readonly args: HookArguments<H>;
  /** The complete row after the change, without secrets. */
  readonly row: Record<string, unknown>;
}

/**
 * Called after the commit of a transaction that recorded events. Must return immediately, because the writer does not wait for deliveries.
 */
export type EventCommitted = (eventId: number) => void;

/** Writes events in the same transaction as the state change they describe. */
@Injectable()
export class EventOutbox {
  private committed: EventCommitted = () => undefined;
  private readonly insertEvent;
  private readonly insertDeliveries;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.insertEvent = database.statement(
      `INSERT INTO {DurableEvent} ({DurableEvent.hook}, {DurableEvent.subject}, {DurableEvent.source}, {DurableEvent.args},
        {DurableEvent.row}, {DurableEvent.createdAt}) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.insertDeliveries = database.statement(
      `INSERT INTO {EventDelivery} ({EventDelivery.eventId}, {EventDelivery.listenerKey}, {EventDelivery.owner}, {EventDelivery.hook},
        {EventDelivery.subject}, {EventDelivery.priority}, {EventDelivery.state}, {EventDelivery.attempts}, {EventDelivery.dueAt})
       SELECT ?, {EventListener.key}, {EventListener.owner}, {EventListener.hook}, ?, {EventListener.priority}, 'pending', 0, ?
       FROM {EventListener} WHERE {EventListener.hook} = ? AND ({EventListener.active} = 1 OR {EventListener.offSince} >= ?)
       ORDER BY {EventListener.priority}, {EventListener.id}`,
    );
  }

  /** Sets the callback for committed events; used by the dispatcher. */
  onCommitted(listener: EventCommitted): void {
    this.committed = listener;
  }

  /**
   * Writes the event and one delivery for every listener of its hook that is active, or whose owner was disabled less than
   * {@link LISTENER_MEMORY_DAYS} ago, so that the owner receives it when enabled again. Change the row the event is about first: its lock
   * makes events of one subject commit in the order of their ids, which is the delivery order.
   *
   * @returns the id of the event
   * @throws Error outside a transaction, because the event and its state change must be committed together
   */
  async record<H extends DurableHook>(event: EventRecord<H>): Promise<number> {
    if (!this.database.inTransaction) throw new Error('An event must be recorded in the transaction of its state change.');
    const moment = this.clock.now();
    const now = toSqlTime(moment);
    const { insertId } = await this.insertEvent.run(
      event.hook,
      event.subject,
      event.source,
      JSON.stringify(event.args),
      JSON.stringify(event.row),
      now,
    );
    const known = new Date(moment.getTime() - LISTENER_MEMORY_DAYS * DAY_MS);
    await this.insertDeliveries.run(insertId, event.subject, now, event.hook, known);
    this.database.afterCommit(() => this.committed(insertId));
    return insertId;
  }
}

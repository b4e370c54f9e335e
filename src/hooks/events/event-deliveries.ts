import { Injectable } from '@nestjs/common';

import { Database, fromSqlTime } from '../../database/index.js';
import type { DurableHook } from '../../sdk/index.js';

import type { DeliveryState } from './event.entities.js';

/** Maximum number of deliveries read per subject. */
const MAX_ROWS = 200;

/** The state of one delivery of an event about a subject. */
export interface SubjectDelivery {
  readonly id: number;
  readonly hook: DurableHook;
  /** Key of the listener. */
  readonly listener: string;
  /** `core`, or the slug of the plugin. */
  readonly owner: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The listener's last error, or one of {@link WRITTEN_OFF}; null once it has finished. */
  readonly error: string | null;
  /** Pending: earliest time of the next attempt. Otherwise: when this state was reached. */
  readonly at: Date;
}

/** Lists which listeners an event about a subject, such as an order, was sent to, and the state of each delivery. */
@Injectable()
export class EventDeliveries {
  private readonly ofSubject;

  constructor(database: Database) {
    this.ofSubject = database.statement<Omit<SubjectDelivery, 'at'> & { dueAt: string; finishedAt: string | null }>(
      `SELECT d.{EventDelivery.id} AS id, e.{DurableEvent.hook} AS hook, d.{EventDelivery.listenerKey} AS listener,
        d.{EventDelivery.owner} AS owner, d.{EventDelivery.state} AS state, d.{EventDelivery.attempts} AS attempts,
        d.{EventDelivery.lastError} AS error, d.{EventDelivery.dueAt} AS dueAt, d.{EventDelivery.finishedAt} AS finishedAt
       FROM {DurableEvent} e JOIN {EventDelivery} d ON d.{EventDelivery.eventId} = e.{DurableEvent.id}
       WHERE e.{DurableEvent.subject} = ? ORDER BY e.{DurableEvent.id}, d.{EventDelivery.id} LIMIT ${MAX_ROWS}`,
    );
  }

  /** @param subject such as `order:12`; may have no deliveries any more, because finished events are deleted after a while */
  async of(subject: string): Promise<SubjectDelivery[]> {
    const rows = await this.ofSubject.all(subject);
    return rows.map(({ dueAt, finishedAt, ...row }) => ({ ...row, at: fromSqlTime(finishedAt ?? dueAt) }));
  }
}

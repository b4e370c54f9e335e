import { Injectable } from '@nestjs/common';

import { Database, fromSqlTime } from '../../database/index.js';

import { DurableListeners } from './durable-listeners.js';

/** Events waiting for an owner that is not running in this process. */
export interface EventsOnHold {
  /** Slug of the plugin. */
  readonly owner: string;
  readonly count: number;
  /** True if it was disabled on purpose; false if it is enabled but not running. */
  readonly isOff: boolean;
  /** When the oldest waiting event was written. */
  readonly oldest: Date;
}

/** Lists events that wait for plugins that are not running, for the administrator. */
@Injectable()
export class HeldEvents {
  private readonly known;
  private readonly waiting;

  constructor(
    database: Database,
    private readonly listeners: DurableListeners,
  ) {
    this.known = database.statement<{ listenerKey: string; owner: string; active: number }>(
      `SELECT {EventListener.key} AS listenerKey, {EventListener.owner} AS owner, {EventListener.active} AS active FROM {EventListener}
       WHERE {EventListener.active} = 1 OR {EventListener.offSince} IS NOT NULL ORDER BY {EventListener.owner}, {EventListener.id}`,
    );
    this.waiting = database.statement<{ total: number; oldest: string | null }>(
      `SELECT COUNT(*) AS total, MIN({EventDelivery.dueAt}) AS oldest FROM {EventDelivery}
       WHERE {EventDelivery.listenerKey} = ? AND {EventDelivery.state} = 'pending'`,
    );
  }

  /** Returns the waiting events per owner; owners without any are omitted. */
  async list(): Promise<EventsOnHold[]> {
    const held = new Map<string, EventsOnHold>();
    for (const { listenerKey, owner, active } of await this.known.all()) {
      if (this.listeners.find(listenerKey)) continue;
      const waiting = await this.waiting.get(listenerKey);
      if (!waiting?.oldest) continue;
      const before = held.get(owner);
      const oldest = fromSqlTime(waiting.oldest);
      held.set(owner, {
        owner,
        count: Number(waiting.total) + (before?.count ?? 0),
        isOff: Number(active) === 0,
        oldest: before && before.oldest < oldest ? before.oldest : oldest,
      });
    }
    return [...held.values()];
  }
}

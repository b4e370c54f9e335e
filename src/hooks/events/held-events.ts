import { Injectable } from '@nestjs/common';

import { Database, fromSqlTime } from '../../database/index.js';

import { DurableListeners } from './durable-listeners.js';

/** Events that wait for an owner that does not run here. */
export interface EventsOnHold {
  /** Slug of the plugin. */
  readonly owner: string;
  readonly count: number;
  /** Whether it was switched off on purpose; else it is wanted and does not run. */
  readonly isOff: boolean;
  /** When the longest waiting one was written. */
  readonly oldest: Date;
}

/** What waits for plugins that do not run, for the administrator to see. */
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

  /** By owner, those without any left out. */
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

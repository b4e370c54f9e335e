import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';

import { DurableListeners } from './durable-listeners.js';

/** How long completely delivered events are kept, in days. */
export const EVENT_RETENTION_DAYS = 30;
/** Maximum number of events deleted per statement, so that writers do not wait long for it. */
const BATCH = 500;

/** Deletes old events. */
@Injectable()
export class EventRetention {
  private readonly old;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly listeners: DurableListeners,
  ) {
    // A delivery whose listener was deleted while the event was being recorded does not keep the event.
    this.old = database.statement<{ id: number }>(
      `SELECT v.{DurableEvent.id} AS id FROM {DurableEvent} v
       WHERE v.{DurableEvent.createdAt} < ? AND v.{DurableEvent.id} > ?
        AND NOT EXISTS (SELECT 1 FROM {EventDelivery} d WHERE d.{EventDelivery.eventId} = v.{DurableEvent.id}
         AND (d.{EventDelivery.finishedAt} >= ? OR (d.{EventDelivery.state} IN ('pending', 'running', 'dead')
          AND EXISTS (SELECT 1 FROM {EventListener} l WHERE l.{EventListener.key} = d.{EventDelivery.listenerKey}))))
       ORDER BY v.{DurableEvent.id} LIMIT ${BATCH}`,
    );
  }

  /**
   * Deletes events older than {@link EVENT_RETENTION_DAYS} that no listener waits for, with their deliveries. Dead letters and deliveries
   * held for a disabled plugin keep their events; a plugin disabled for {@link LISTENER_MEMORY_DAYS} is deleted first.
   *
   * @returns how many were deleted
   */
  @Job({ name: 'event-retention', dailyAt: '04:10' })
  async removeOld(): Promise<number> {
    await this.listeners.forgetLongOff();
    const before = new Date(this.clock.now().getTime() - EVENT_RETENTION_DAYS * DAY_MS);
    let removed = 0;
    let last = 0;
    for (;;) {
      const ids = (await this.old.all(before, last, before)).map((row) => row.id);
      if (ids.length > 0) {
        const placeholders = ids.map(() => '?').join(', ');
        const remove = this.database.statement(`DELETE FROM {DurableEvent} WHERE {DurableEvent.id} IN (${placeholders})`);
        removed += (await remove.run(...ids)).affected;
        last = ids.at(-1)!;
      }
      if (ids.length < BATCH) return removed;
      await nextTurn();
    }
  }
}

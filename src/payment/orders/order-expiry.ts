import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { HOUR_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';

import { OrderClosing } from './order-closing.js';
import { NOT_HELD } from './order-row.js';

/** Orders read per batch. */
const BATCH = 200;

/** Maximum hours an unpaid order may stay open; 0 means forever. */
export const MAX_ORDER_TTL_HOURS = 8_760;

/**
 * Closes unpaid orders after `SVC_config.order_ttl` hours, or once they are no longer held. A later
 * payment still settles them.
 */
@Injectable()
export class OrderExpiry {
  private readonly old;

  constructor(
    database: Database,
    private readonly clock: Clock,
    private readonly closing: OrderClosing,
    private readonly settings: SiteSettings,
  ) {
    this.old = database.statement<{ id: number }>(
      `SELECT {Order.id} AS id FROM {Order} WHERE {Order.status} = 'unpaid' AND {Order.id} > ? AND {Order.createdAt} < ? AND ${NOT_HELD}
        ORDER BY {Order.id} LIMIT ${BATCH}`,
    );
  }

  /** Hours an order may stay unpaid; 0: forever. */
  get ttlHours(): number {
    return this.settings.current.orderTtlHours;
  }

  /**
   * @param hours 0 to {@link MAX_ORDER_TTL_HOURS}
   * @param check receives the current value under a lock; throwing rejects the change
   */
  async setTtl(hours: number, check: (present: number) => void = () => undefined): Promise<void> {
    await this.settings.change({ orderTtlHours: hours }, (row) => check(row.orderTtlHours));
  }

  /** Closes expired orders; returns how many were closed. */
  @Job({ name: 'order-expiry', everyMinutes: 5 })
  async closeOld(): Promise<number> {
    const hours = this.ttlHours;
    if (hours === 0) return 0;
    const now = this.clock.now();
    const before = new Date(now.getTime() - hours * HOUR_MS);
    let closed = 0;
    let last = 0;
    for (;;) {
      const ids = (await this.old.all(last, before, now)).map(({ id }) => id);
      for (const id of ids) if (await this.closing.close(id, { source: 'cron' }, { hours: String(hours) }, now)) closed += 1;
      if (ids.length < BATCH) return closed;
      last = ids.at(-1)!;
      await nextTurn();
    }
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { Job } from '../jobs/index.js';

/** How long an order that was closed without a payment is kept, in milliseconds: 90 days from when it was made. */
export const CLOSED_ORDERS_KEPT_MS = 90 * DAY_MS;
/** Orders removed by one statement: no writer waits long for it. */
const BATCH = 500;

/** Removes orders that came to nothing: closed, never paid, and too old for a payment that is late. */
@Injectable()
export class OldOrders {
  private readonly remove;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    // MySQL does not delete from what it selects from, but for a table in between.
    this.remove = database.statement(
      `DELETE FROM {Order} WHERE {Order.status} = 'closed' AND {Order.id} IN (SELECT id FROM (SELECT {Order.id} AS id FROM {Order}
        WHERE {Order.status} = 'closed' AND {Order.createdAt} < ? AND {Order.paidAt} IS NULL
        AND NOT EXISTS (SELECT 1 FROM {PaymentTransaction} WHERE {PaymentTransaction.orderId} = {Order}.{Order.id}) ORDER BY {Order.id}
        LIMIT ${BATCH}) AS old)`,
    );
  }

  /** For the cron tick. @returns how many went */
  @Job({ name: 'closed-orders', everyMinutes: 60, catchUp: true })
  async removeClosed(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - CLOSED_ORDERS_KEPT_MS);
    for (let removed = 0; ;) {
      const { affected } = await this.remove.run(before);
      removed += affected;
      if (affected < BATCH) return removed;
      await nextTurn();
    }
  }
}

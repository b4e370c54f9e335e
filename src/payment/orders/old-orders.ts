import { setImmediate as nextTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job } from '../../jobs/index.js';

/** How long an unpaid closed order is kept after its creation, in milliseconds: 90 days. */
export const CLOSED_ORDERS_KEPT_MS = 90 * DAY_MS;
/** Orders deleted per statement, so that other writers do not wait long. */
const BATCH = 500;

/** Deletes closed, unpaid orders that are too old for a late payment. */
@Injectable()
export class OldOrders {
  private readonly remove;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    // MySQL cannot delete from a table it selects from, unless through a derived table.
    this.remove = database.statement(
      `DELETE FROM {Order} WHERE {Order.status} = 'closed' AND {Order.id} IN (SELECT id FROM (SELECT {Order.id} AS id FROM {Order}
        WHERE {Order.status} = 'closed' AND {Order.createdAt} < ? AND {Order.paidAt} IS NULL
        AND NOT EXISTS (SELECT 1 FROM {PaymentTransaction} WHERE {PaymentTransaction.orderId} = {Order}.{Order.id}) ORDER BY {Order.id}
        LIMIT ${BATCH}) AS old)`,
    );
  }

  /** Run by the cron tick. @returns the number of deleted orders */
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

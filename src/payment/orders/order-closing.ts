import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { CouponUses } from '../../coupons/index.js';
import { Database } from '../../database/index.js';
import { EventOutbox } from '../../hooks/index.js';

import { OrderHistoryRepository, type OrderActor } from './order-history-repository.js';
import { orderEventRow } from './order-record.js';
import { Orders } from './orders.js';

/** Maximum days an order is kept open. */
const MAX_HELD_DAYS = 60;

/**
 * Closes unpaid orders and records who did it and why; the use of a coupon is given back. A late
 * payment still settles them.
 */
@Injectable()
export class OrderClosing {
  private readonly setHeld;

  constructor(
    private readonly database: Database,
    private readonly orders: Orders,
    private readonly history: OrderHistoryRepository,
    private readonly outbox: EventOutbox,
    private readonly coupons: CouponUses,
    private readonly clock: Clock,
  ) {
    this.setHeld = database.statement(`UPDATE {Order} SET {Order.heldUntil} = ? WHERE {Order.id} = ? AND {Order.status} = 'unpaid'`);
  }

  /**
   * @param now if given, closes the order only if it is not held at that time
   * @returns false if the order is not unpaid (any more)
   */
  close(id: number, actor: OrderActor, params: Record<string, string> = {}, now?: Date): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.orders.close(id, now))) return false;
      await this.history.add(id, 'closed', actor, params);
      const order = (await this.orders.get(id))!;
      if (order.coupon !== null) await this.coupons.giveBack(id);
      await this.outbox.record({
        hook: 'order.closed',
        subject: `order:${id}`,
        source: actor.source,
        args: [this.orders.toOrderRecord(order)],
        row: orderEventRow(order),
      });
      return true;
    });
  }

  /**
   * Keeps an unpaid order from being closed automatically, for {@link MAX_HELD_DAYS} at most; users and plugins can still close it.
   * The last call wins.
   *
   * @returns false if the order is not unpaid
   */
  async hold(id: number, until: Date): Promise<boolean> {
    const latest = this.clock.now().getTime() + MAX_HELD_DAYS * DAY_MS;
    return (await this.setHeld.run(new Date(Math.min(until.getTime(), latest)), id)).affected === 1;
  }
}

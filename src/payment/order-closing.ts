import { Injectable } from '@nestjs/common';

import { CouponUses } from '../coupons/index.js';
import { Database } from '../database/index.js';
import { EventOutbox } from '../hooks/index.js';

import { OrderDeeds, type OrderActor } from './order-deeds.js';
import { orderEventRow } from './order-record.js';
import { Orders } from './orders.js';

/** Closes orders nobody has paid, and keeps who did and why; what a coupon took off is to be had again. A payment that comes late still settles them. */
@Injectable()
export class OrderClosing {
  constructor(
    private readonly database: Database,
    private readonly orders: Orders,
    private readonly deeds: OrderDeeds,
    private readonly outbox: EventOutbox,
    private readonly coupons: CouponUses,
  ) {}

  /** @returns false where the order is not unpaid (any more) */
  close(id: number, actor: OrderActor, params: Record<string, string> = {}): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.orders.close(id))) return false;
      await this.deeds.add(id, 'closed', actor, params);
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
}

import { Injectable } from '@nestjs/common';

import { CouponUses } from '../coupons/index.js';

import type { Order } from './entities/index.js';
import { OrderLimits } from './order-limits.js';

/**
 * What an order holds as long as it waits: a place among the unpaid ones of who made it, and a use of its coupon.
 * In the transaction that ends it.
 */
@Injectable()
export class OrderHolds {
  constructor(
    private readonly limits: OrderLimits,
    private readonly coupons: CouponUses,
  ) {}

  /** It was paid, perhaps after it had been closed: what was agreed on counts, whether the coupon is used up by now or not. */
  async paid(order: Pick<Order, 'id' | 'user' | 'ip' | 'coupon'>): Promise<void> {
    await this.limits.paid(order);
    if (order.coupon !== null) await this.coupons.paid(order.id);
  }
}

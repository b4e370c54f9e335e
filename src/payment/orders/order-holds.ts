import { Injectable } from '@nestjs/common';

import { CouponUses } from '../../coupons/index.js';
import type { Order } from '../entities/index.js';

import { OrderLimits } from './order-limits.js';

/**
 * What an unpaid order occupies: a slot among its creator's unpaid orders, and a use of its coupon.
 * Released in the transaction that ends it.
 */
@Injectable()
export class OrderHolds {
  constructor(
    private readonly limits: OrderLimits,
    private readonly coupons: CouponUses,
  ) {}

  /** Handles a payment, perhaps after the order was closed: the agreed discount still applies even if the coupon is used up by now. */
  async paid(order: Pick<Order, 'id' | 'user' | 'ip' | 'coupon'>): Promise<void> {
    await this.limits.paid(order);
    if (order.coupon !== null) await this.coupons.paid(order.id);
  }
}

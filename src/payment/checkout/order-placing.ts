import { Injectable } from '@nestjs/common';

import { Coupons, CouponUses, refusal, type CouponOffer } from '../../coupons/index.js';
import { Database } from '../../database/index.js';
import type { Order } from '../entities/index.js';
import { PAID_BY_COUPON } from '../gateways/index.js';
import { checkOrder, type NewOrder, Orders } from '../orders/index.js';
import { Settlement } from '../settlement/index.js';

/** An order with an optional coupon. */
export interface PlacedOrder extends NewOrder {
  /** Code as entered; empty for none. */
  readonly coupon?: string;
  /** Product id, such as `hosting_shop:3`, for coupons limited to products. */
  readonly product?: string;
}

/**
 * Creates orders with a coupon: the order, its discount and the use of the coupon are one transaction. An order fully covered by
 * its coupon is settled in it, and delivered like any paid order.
 */
@Injectable()
export class OrderPlacing {
  constructor(
    private readonly database: Database,
    private readonly orders: Orders,
    private readonly settlement: Settlement,
    private readonly coupons: Coupons,
    private readonly uses: CouponUses,
  ) {}

  /**
   * @param request its amount is the price without the coupon; a known request key
   * returns its existing order, without using the coupon again
   * @throws PaymentError ORDER_INVALID; CouponError that says why the coupon does not apply, and no order was created
   */
  async place(request: PlacedOrder): Promise<Order> {
    const { coupon = '', product, ...order } = request;
    if (coupon.trim() === '') return this.orders.create(order);
    checkOrder(order);
    const made = await this.orders.ofRequest(order.requestKey);
    if (made) return made;
    const couponRequest = { code: coupon, amount: order.amount, product, owner: order.owner ?? null };
    try {
      const placed = await this.write(order, await this.coupons.offer(couponRequest));
      if (placed) return placed;
      // The last use was taken concurrently, or the coupon was changed: checking again throws the matching error.
      await this.coupons.offer(couponRequest);
      throw refusal('COUPON_CHANGED');
    } catch (error) {
      // A concurrent request with the same key, such as a double click, has created the order and used the coupon.
      const first = await this.orders.ofRequest(order.requestKey);
      if (first) return first;
      throw error;
    }
  }

  /** @returns null if the coupon is no longer available; no order is created then */
  private write(request: NewOrder, offer: CouponOffer): Promise<Order | null> {
    const { coupon, discount } = offer;
    const isFree = discount === request.amount;
    return this.database.transaction(
      async () => {
        const priced = { ...request, type: isFree ? PAID_BY_COUPON : request.type };
        const { order, isNew } = await this.orders.createOnce(priced, { coupon: coupon.code, amount: discount });
        if (!isNew) return order;
        if (!(await this.uses.take(offer, order.id))) {
          // Undone explicitly instead of by a rollback: the transaction may be a plugin's own.
          await this.orders.withdraw(order.id);
          return null;
        }
        return isFree ? this.settle(order) : order;
      },
      { durable: isFree },
    );
  }

  /** Settles a fully discounted order, for which no gateway will send a notification. */
  private async settle(order: Order): Promise<Order> {
    const { ok, msg } = await this.settlement.settle(order.number, 'coupon', { trade_no: `coupon-${order.number}`, amount: 0 });
    if (!ok) throw new Error(`The order ${order.number} that its coupon pays could not be settled: ${msg}`);
    return (await this.orders.get(order.id))!;
  }
}

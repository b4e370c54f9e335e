import { Injectable } from '@nestjs/common';

import { Coupons, CouponUses, refusal, type CouponOffer } from '../coupons/index.js';
import { Database } from '../database/index.js';

import type { Order } from './entities/index.js';
import { checkOrder, type NewOrder } from './order-rules.js';
import { Orders } from './orders.js';
import { PAID_BY_COUPON } from './payment-methods.js';
import { Settlement } from './settlement.js';

/** An order that may be cheaper by a coupon. */
export interface PlacedOrder extends NewOrder {
  /** As it was typed; empty for none. */
  readonly coupon?: string;
  /** What is bought, such as `hosting_shop:3`: coupons may be limited to it. */
  readonly product?: string;
}

/**
 * Makes orders with a coupon: the order, what it is cheaper by and the use it takes are one transaction. One that a coupon pays in full is
 * settled in it, and delivered like any other that is paid.
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
   * @param request its amount is the price without the coupon; a request key that made an order before
   * answers that one, and takes no coupon
   * @throws PaymentError ORDER_INVALID; CouponError that says what is in the way of the coupon, and no order was made
   */
  async place(request: PlacedOrder): Promise<Order> {
    const { coupon = '', product, ...order } = request;
    if (coupon.trim() === '') return this.orders.create(order);
    checkOrder(order);
    const made = await this.orders.ofRequest(order.requestKey);
    if (made) return made;
    const wish = { code: coupon, amount: order.amount, product, owner: order.owner ?? null };
    try {
      const placed = await this.write(order, await this.coupons.offer(wish));
      if (placed) return placed;
      // Somebody was first with the last one, or it was changed: which of both is said by asking again.
      await this.coupons.offer(wish);
      throw refusal('COUPON_CHANGED');
    } catch (error) {
      // The same button, pressed twice: whoever was first has taken the coupon.
      const first = await this.orders.ofRequest(order.requestKey);
      if (first) return first;
      throw error;
    }
  }

  /** @returns null where the coupon is not to be had any more: there is no order then */
  private write(request: NewOrder, offer: CouponOffer): Promise<Order | null> {
    const { coupon, discount } = offer;
    const isFree = discount === request.amount;
    return this.database.transaction(
      async () => {
        const priced = { ...request, type: isFree ? PAID_BY_COUPON : request.type };
        const { order, isNew } = await this.orders.createOnce(priced, { coupon: coupon.code, amount: discount });
        if (!isNew) return order;
        if (!(await this.uses.take(offer, order.id))) {
          // By hand, not by a rollback: the transaction may be a plugin's own.
          await this.orders.withdraw(order.id);
          return null;
        }
        return isFree ? this.settle(order) : order;
      },
      { durable: isFree },
    );
  }

  /** Nothing is left to pay: no gateway will say so. */
  private async settle(order: Order): Promise<Order> {
    const { ok, msg } = await this.settlement.settle(order.number, 'coupon', { trade_no: `coupon-${order.number}`, amount: 0 });
    if (!ok) throw new Error(`The order ${order.number} that its coupon pays could not be settled: ${msg}`);
    return (await this.orders.get(order.id))!;
  }
}

import { Injectable } from '@nestjs/common';

import { addressForLimits, RateLimiter } from '../auth/index.js';
import { executionContext } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { Database } from '../database/index.js';
import type { OrderOwner } from '../sdk/index.js';

import { codeOf, discountOf, objection } from './coupon-terms.js';
import type { CouponOffer } from './coupon-uses.js';
import { Coupon, CouponShare } from './entities/index.js';
import { refusal } from './errors.js';

/** Rate limit for unknown codes per address. */
export const UNKNOWN_COUPONS = { limit: 30, windowSeconds: 600 };

/** A request to apply a coupon. */
export interface CouponRequest {
  /** The code as entered. */
  readonly code: string;
  /** Price without the coupon, in fen. */
  readonly amount: number;
  /** Product id, such as `hosting_shop:3`. */
  readonly product?: string;
  readonly owner: OrderOwner | null;
}

/** Computes coupon discounts. */
@Injectable()
export class Coupons {
  private readonly ownerOfHost;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
    private readonly limiter: RateLimiter,
  ) {
    this.ownerOfHost = database.statement<{ ownerId: number | null }>(
      'SELECT {HostingAccount.ownerId} AS ownerId FROM {HostingAccount} WHERE {HostingAccount.id} = ?',
    );
  }

  /**
   * Returns the discount of a coupon for a price. Does not take a use: {@link CouponUses.take} does, with the order.
   *
   * @throws CouponError that says why the coupon does not apply
   */
  async offer({ code, amount, product = '', owner }: CouponRequest): Promise<CouponOffer> {
    const coupon = await this.find(code);
    const buyer = await this.buyerOf(owner);
    const today = this.clock.today();
    const problem = objection(coupon, { amount, product: product === '' ? null : product, buyer, today });
    if (problem) throw problem;
    // An early check; the final decision is made when the order is created.
    if (coupon.most !== null && coupon.used >= coupon.most) throw refusal('COUPON_USED_UP');
    if (coupon.perCustomer !== null) {
      const share = await this.database.repository(CouponShare).findOneBy({ couponId: coupon.id, who: buyer });
      if (share && share.used >= coupon.perCustomer) throw refusal('COUPON_USED_BY_YOU');
    }
    return { coupon, buyer, discount: discountOf(coupon, amount) };
  }

  /** Limits failed lookups so that codes cannot be guessed. */
  private async find(code: string): Promise<Coupon> {
    const ip = executionContext.getStore()?.call?.ip ?? '';
    const key = `coupon:${addressForLimits(ip)}`;
    const { allowed, retryAfterSeconds } = await this.limiter.peek(key, UNKNOWN_COUPONS);
    if (!allowed && ip !== '') throw refusal('COUPON_TRIES', { minutes: Math.ceil(retryAfterSeconds / 60) });
    const coupon = await this.database.repository(Coupon).findOneBy({ code: codeOf(code).slice(0, 32) });
    if (coupon) return coupon;
    if (ip !== '') await this.limiter.hit(key, UNKNOWN_COUPONS);
    throw refusal('COUPON_UNKNOWN');
  }

  /** A customer counts as the same buyer on all of their hosts. */
  private async buyerOf(owner: OrderOwner | null): Promise<string> {
    if (owner === null) return '';
    if ('customer' in owner) return `customer:${owner.customer}`;
    const customer = (await this.ownerOfHost.get(owner.account))?.ownerId ?? null;
    return customer === null ? `account:${owner.account}` : `customer:${customer}`;
  }
}

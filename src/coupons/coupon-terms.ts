import { toYuan } from '../common/index.js';

import type { Coupon } from './entities/index.js';
import { refusal, type CouponError } from './errors.js';

/** Format of a coupon code: upper case; input is case-insensitive. */
export const COUPON_CODE = /^[A-Z0-9][A-Z0-9_-]{2,31}$/;
/** Format of a product id, such as `hosting_shop:3`: the selling plugin comes first. */
export const PRODUCT = /^[A-Za-z0-9_.:-]{1,64}$/;

/** A purchase that a coupon is applied to. */
export interface CouponPurchase {
  /** Price without the coupon, in fen. */
  readonly amount: number;
  /** Product id; null if it has none. */
  readonly product: string | null;
  /** Buyer, such as `customer:7`; empty if unknown. */
  readonly buyer: string;
  /** Current day in the installation's zone, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Normalizes typed input: trimmed, upper case. */
export function codeOf(text: string): string {
  return text.trim().toUpperCase();
}

/** Returns the discount in fen, at most the amount. Fractions of a fen are rounded in the reseller's favour. */
export function discountOf({ kind, value }: Pick<Coupon, 'kind' | 'value'>, amount: number): number {
  return kind === 'fixed' ? Math.min(value, amount) : Math.floor((amount * value) / 100);
}

/**
 * Returns why a coupon does not apply to a purchase, or null if it does. Does not check the number of uses: only
 * {@link CouponUses} decides that.
 */
export function objection(coupon: Coupon, { amount, product, buyer, today }: CouponPurchase): CouponError | null {
  if (!coupon.active) return refusal('COUPON_OFF');
  if (coupon.fromOn !== null && today < coupon.fromOn) return refusal('COUPON_NOT_YET', { day: coupon.fromOn });
  if (coupon.untilOn !== null && today > coupon.untilOn) return refusal('COUPON_OVER', { day: coupon.untilOn });
  if (coupon.products.length > 0 && (product === null || !coupon.products.includes(product))) return refusal('COUPON_OTHER_PRODUCT');
  if (amount < coupon.least) return refusal('COUPON_TOO_SMALL', { least: toYuan(coupon.least) });
  if (discountOf(coupon, amount) < 1) return refusal('COUPON_TOO_SMALL', { least: toYuan(Math.max(coupon.least, 1)) });
  if (coupon.perCustomer !== null && buyer === '') return refusal('COUPON_SIGN_IN');
  return null;
}

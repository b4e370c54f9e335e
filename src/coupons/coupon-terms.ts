import { toYuan } from '../common/index.js';

import type { Coupon } from './entities/index.js';
import { refusal, type CouponError } from './errors.js';

/** What a coupon looks like: upper case, so that nobody has to mind the case. */
export const COUPON_CODE = /^[A-Z0-9][A-Z0-9_-]{2,31}$/;
/** What a product is called, such as `hosting_shop:3`: first the plugin that sells it. */
export const PRODUCT = /^[A-Za-z0-9_.:-]{1,64}$/;

/** What a coupon is to be used for. */
export interface CouponPurchase {
  /** Fen without the coupon. */
  readonly amount: number;
  /** What is bought; null for what has no name. */
  readonly product: string | null;
  /** Who buys, such as `customer:7`; empty for nobody who is known. */
  readonly who: string;
  /** `YYYY-MM-DD` of the installation. */
  readonly today: string;
}

/** As people type it: without blanks around, in any case. */
export function codeOf(text: string): string {
  return text.trim().toUpperCase();
}

/** Fen a coupon takes off; never more than there is. What a percentage leaves of a fen is the reseller's. */
export function discountOf({ kind, value }: Pick<Coupon, 'kind' | 'value'>, amount: number): number {
  return kind === 'fixed' ? Math.min(value, amount) : Math.floor((amount * value) / 100);
}

/**
 * Why a coupon does not count for a purchase; null where it does. How often it was used is not looked at: only
 * {@link CouponUses} decides that.
 */
export function objection(coupon: Coupon, { amount, product, who, today }: CouponPurchase): CouponError | null {
  if (!coupon.active) return refusal('COUPON_OFF');
  if (coupon.fromOn !== null && today < coupon.fromOn) return refusal('COUPON_NOT_YET', { day: coupon.fromOn });
  if (coupon.untilOn !== null && today > coupon.untilOn) return refusal('COUPON_OVER', { day: coupon.untilOn });
  if (coupon.products.length > 0 && (product === null || !coupon.products.includes(product))) return refusal('COUPON_OTHER_PRODUCT');
  if (amount < coupon.least) return refusal('COUPON_TOO_SMALL', { least: toYuan(coupon.least) });
  if (discountOf(coupon, amount) < 1) return refusal('COUPON_TOO_SMALL', { least: toYuan(Math.max(coupon.least, 1)) });
  if (coupon.perCustomer !== null && who === '') return refusal('COUPON_SIGN_IN');
  return null;
}

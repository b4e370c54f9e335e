import { toYuan, translate, type Locale } from '../common/index.js';
import type { HostQuota } from '../sdk/index.js';

import { tooMuchText } from './package-fit.js';
import type { CouponedChange } from './coupon-changes.js';

/** Response form of a possible package change. */
export interface PackageRow {
  /** Key of the package. */
  readonly spid: string;
  readonly name: string;
  /** `now`: immediately, for `rmb`; `renewal`: with the next renewal. */
  readonly when: 'now' | 'renewal';
  /** Amount due now in yuan, after the coupon; empty with `renewal`. */
  readonly rmb: string;
  /** Amount in yuan before the coupon; empty with `renewal`. */
  readonly yj: string;
  /** Discount of the coupon in yuan; empty with `renewal`. */
  readonly yh: string;
  /** Why the coupon does not apply; empty if it applies or none was given. */
  readonly yhbz: string;
  /** Credit for earlier payments in yuan; empty with `renewal`. */
  readonly credit: string;
  readonly limits: HostQuota;
  /** Exceeded limits as text; empty if usage fits. */
  readonly too_much: string;
}

/** Converts a change to a {@link PackageRow}. */
export function packageRow({ offer, change, tooMuch, discount, refused }: CouponedChange, locale: Locale): PackageRow {
  const now = change.when === 'now' ? change : null;
  return {
    spid: offer.package,
    name: offer.name,
    when: change.when,
    rmb: now ? toYuan(now.amount - discount) : '',
    yj: now ? toYuan(now.amount) : '',
    yh: now ? toYuan(discount) : '',
    yhbz: refused,
    credit: now ? toYuan(now.credit) : '',
    limits: offer.limits,
    too_much: tooMuch
      .map(tooMuchText)
      .map(({ key, params }) => translate(locale, key, params))
      .join(translate(locale, 'common.list_comma')),
  };
}

import { toYuan, translate, type Locale } from '../common/index.js';
import type { HostQuota } from '../sdk/index.js';

import { tooMuchText } from './package-fit.js';
import type { CouponedChange } from './coupon-changes.js';

/** A package a host may change to, on the wire. */
export interface PackageRow {
  /** Key of the package. */
  readonly spid: string;
  readonly name: string;
  /** `now`: for `rmb`, at once; `renewal`: with the next renewal. */
  readonly when: 'now' | 'renewal';
  /** Yuan to be paid now, without what the coupon takes off; empty with `renewal`. */
  readonly rmb: string;
  /** Yuan without the coupon; empty with `renewal`. */
  readonly yj: string;
  /** Yuan the coupon takes off; empty with `renewal`. */
  readonly yh: string;
  /** Why the coupon does not count for this one; empty where it does, or none was named. */
  readonly yhbz: string;
  /** Yuan that count of what was paid before; empty with `renewal`. */
  readonly credit: string;
  readonly limits: HostQuota;
  /** What the host uses more of than it has, in words; empty: it fits. */
  readonly too_much: string;
}

/** {@link PackageRow} of a change. */
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

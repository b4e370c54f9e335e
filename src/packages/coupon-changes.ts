import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../common/index.js';
import { CouponError, Coupons } from '../coupons/index.js';

import { PackageChanges, type Changeable, type QuotedChange } from './package-changes.js';

/** A package change with the coupon's discount on the amount due now. */
export interface CouponedChange extends QuotedChange {
  /** In fen. */
  readonly discount: number;
  /** Why the coupon does not apply; empty if it applies or none was given. */
  readonly refused: string;
}

/** Prices package changes with a coupon. A change at renewal costs nothing now, so no coupon applies to it. */
@Injectable()
export class CouponChanges {
  constructor(
    private readonly changes: PackageChanges,
    private readonly coupons: Coupons,
  ) {}

  /**
   * Prices all changes of a host.
   *
   * @param coupon as entered; empty for none
   * @throws CouponError if it applies to none of the changes that cost something now
   */
  async of(subject: Changeable, coupon: string, locale: Locale): Promise<CouponedChange[]> {
    const quotes = await this.changes.quotes(subject);
    const priced: CouponedChange[] = [];
    let problem: CouponError | null = null;
    for (const quote of quotes) {
      try {
        priced.push({ ...quote, discount: await this.discountOf(subject, quote, coupon), refused: '' });
      } catch (error) {
        if (!(error instanceof CouponError)) throw error;
        // An unknown coupon is looked up only once, regardless of the number of changes.
        if (error.code === 'COUPON_UNKNOWN' || error.code === 'COUPON_TRIES') throw error;
        problem ??= error;
        priced.push({ ...quote, discount: 0, refused: translate(locale, error.told.key, error.told.params) });
      }
    }
    if (problem && priced.every(({ discount }) => discount === 0)) throw problem;
    return priced;
  }

  /** Returns the coupon's discount for one change, in fen. @throws CouponError */
  async discountOf({ host }: Changeable, { offer, change }: QuotedChange, coupon: string): Promise<number> {
    if (coupon === '' || change.when === 'renewal') return 0;
    const wish = { code: coupon, amount: change.amount, product: offer.product, owner: { account: host.id } };
    return (await this.coupons.offer(wish)).discount;
  }
}

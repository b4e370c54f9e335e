import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../common/index.js';
import { CouponError, Coupons } from '../coupons/index.js';

import { PackageChanges, type Changeable, type QuotedChange } from './package-changes.js';

/** A change of package, and what a coupon takes off what is to be paid for it now. */
export interface CouponedChange extends QuotedChange {
  /** Fen. */
  readonly discount: number;
  /** Why the coupon does not count for this one; empty where it does, or none was named. */
  readonly refused: string;
}

/** What changes of package come to with a coupon. One that waits for the renewal costs nothing now, so it takes none. */
@Injectable()
export class CouponChanges {
  constructor(
    private readonly changes: PackageChanges,
    private readonly coupons: Coupons,
  ) {}

  /**
   * @param coupon as it was typed; empty for none
   * @throws CouponError where it counts for none of the changes that cost something now
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
        // One that nobody knows is asked for once, however many changes there are.
        if (error.code === 'COUPON_UNKNOWN' || error.code === 'COUPON_TRIES') throw error;
        problem ??= error;
        priced.push({ ...quote, discount: 0, refused: translate(locale, error.told.key, error.told.params) });
      }
    }
    if (problem && priced.every(({ discount }) => discount === 0)) throw problem;
    return priced;
  }

  /** What a coupon takes off one of them, in fen. @throws CouponError */
  async discountOf({ host }: Changeable, { offer, change }: QuotedChange, coupon: string): Promise<number> {
    if (coupon === '' || change.when === 'renewal') return 0;
    const wish = { code: coupon, amount: change.amount, product: offer.product, owner: { account: host.id } };
    return (await this.coupons.offer(wish)).discount;
  }
}

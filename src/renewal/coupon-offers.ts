import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../common/index.js';
import { CouponError, Coupons } from '../coupons/index.js';
import { HostingService } from '../hosting/index.js';

import { RenewalError } from './errors.js';
import { RenewalOffers, type DatedOffer } from './renewal-offers.js';

/** An offer with a coupon's discount. */
export interface CouponOffered extends DatedOffer {
  /** Discount in fen. */
  readonly discount: number;
  /** Why the coupon does not apply to this offer; empty if it does, or if no coupon was given. */
  readonly refused: string;
}

/** Renewal offers of hosts with coupon discounts. */
@Injectable()
export class CouponOffers {
  constructor(
    private readonly hosting: HostingService,
    private readonly offers: RenewalOffers,
    private readonly coupons: Coupons,
  ) {}

  /**
   * @param coupon the code as entered; empty for none
   * @throws RenewalError HOST_MISSING; CouponError if it applies to none of the offers
   */
  async of(hostId: number, coupon: string, locale: Locale): Promise<CouponOffered[]> {
    const host = await this.hosting.get(hostId);
    if (!host) throw new RenewalError('HOST_MISSING');
    const offers = await this.offers.of(host);
    if (coupon === '') return offers.map((offer) => ({ ...offer, discount: 0, refused: '' }));
    const priced: CouponOffered[] = [];
    let problem: CouponError | null = null;
    for (const offer of offers) {
      if (offer.amount === 0) {
        priced.push({ ...offer, discount: 0, refused: '' });
        continue;
      }
      try {
        const { amount, product } = offer;
        const { discount } = await this.coupons.offer({ code: coupon, amount, product, owner: { account: hostId } });
        priced.push({ ...offer, discount, refused: '' });
      } catch (error) {
        if (!(error instanceof CouponError)) throw error;
        // An unknown code is looked up only once, however many offers there are.
        if (error.code === 'COUPON_UNKNOWN' || error.code === 'COUPON_TRIES') throw error;
        problem ??= error;
        priced.push({ ...offer, discount: 0, refused: translate(locale, error.told.key, error.told.params) });
      }
    }
    if (problem && priced.every(({ discount }) => discount === 0)) throw problem;
    return priced;
  }
}

import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../common/index.js';
import { CouponError, Coupons } from '../coupons/index.js';
import { HostingService } from '../hosting/index.js';

import { RenewalError } from './errors.js';
import { RenewalOffers, type DatedOffer } from './renewal-offers.js';

/** An offer, and what a coupon takes off it. */
export interface CouponOffered extends DatedOffer {
  /** Fen. */
  readonly discount: number;
  /** Why the coupon does not count for this one; empty where it does, or none was named. */
  readonly refused: string;
}

/** What hosts may be renewed for with a coupon. */
@Injectable()
export class CouponOffers {
  constructor(
    private readonly hosting: HostingService,
    private readonly offers: RenewalOffers,
    private readonly coupons: Coupons,
  ) {}

  /**
   * @param coupon as it was typed; empty for none
   * @throws RenewalError HOST_MISSING; CouponError where it counts for none of the offers
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
        // One that nobody knows is asked for once, however many offers there are.
        if (error.code === 'COUPON_UNKNOWN' || error.code === 'COUPON_TRIES') throw error;
        problem ??= error;
        priced.push({ ...offer, discount: 0, refused: translate(locale, error.told.key, error.told.params) });
      }
    }
    if (problem && priced.every(({ discount }) => discount === 0)) throw problem;
    return priced;
  }
}

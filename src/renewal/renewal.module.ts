import { Module } from '@nestjs/common';

import { CouponsModule } from '../coupons/index.js';
import { LedgerModule } from '../ledger/index.js';
import { PaymentModule } from '../payment/index.js';

import { CouponOffers } from './coupon-offers.js';
import { RenewalDelivery } from './renewal-delivery.js';
import { RenewalOffers } from './renewal-offers.js';
import { RenewalOrders } from './renewal-orders.js';
import { RenewalOperations } from './renewal.operations.js';
import { RenewalPages } from './renewal.pages.js';

/** Renewing hosts by orders. */
@Module({
  imports: [CouponsModule, PaymentModule, LedgerModule],
  controllers: [RenewalPages],
  exports: [RenewalOffers],
  providers: [CouponOffers, RenewalDelivery, RenewalOffers, RenewalOperations, RenewalOrders],
})
export class RenewalModule {}

import { Module } from '@nestjs/common';

import { CouponsModule } from '../coupons/index.js';
import { LedgerModule } from '../ledger/index.js';
import { PackagesModule } from '../packages/index.js';
import { PaymentModule } from '../payment/index.js';
import { ProgramsModule } from '../programs/index.js';

import { CouponOffers } from './coupon-offers.js';
import { PlacingOperations } from './placing.operations.js';
import { FreeRenewals } from './free-renewals.js';
import { RenewalDelivery } from './renewal-delivery.js';
import { RenewalOffers } from './renewal-offers.js';
import { RenewalOrders } from './renewal-orders.js';
import { RenewalOperations } from './renewal.operations.js';
import { RenewalPages } from './renewal.pages.js';

/** Renewal of hosts by orders. */
@Module({
  imports: [CouponsModule, PaymentModule, LedgerModule, PackagesModule, ProgramsModule],
  controllers: [RenewalPages],
  exports: [RenewalOffers],
  providers: [CouponOffers, FreeRenewals, RenewalDelivery, RenewalOffers, RenewalOperations, RenewalOrders, PlacingOperations],
})
export class RenewalModule {}

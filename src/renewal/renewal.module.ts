import { Module } from '@nestjs/common';

import { LedgerModule } from '../ledger/index.js';
import { PaymentModule } from '../payment/index.js';

import { RenewalDelivery } from './renewal-delivery.js';
import { RenewalOffers } from './renewal-offers.js';
import { RenewalOrders } from './renewal-orders.js';
import { RenewalOperations } from './renewal.operations.js';
import { RenewalPages } from './renewal.pages.js';

/** Renewing hosts by orders. */
@Module({
  imports: [PaymentModule, LedgerModule],
  controllers: [RenewalPages],
  exports: [RenewalOffers],
  providers: [RenewalDelivery, RenewalOffers, RenewalOperations, RenewalOrders],
})
export class RenewalModule {}

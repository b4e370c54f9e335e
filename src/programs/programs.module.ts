import { Module } from '@nestjs/common';

import { CouponsModule } from '../coupons/index.js';
import { DeploymentsModule } from '../hosting/index.js';
import { PaymentModule } from '../payment/index.js';

import { ProgramDelivery } from './program-delivery.js';
import { ProgramOrders } from './program-orders.js';

/** Paid programs: their orders and delivery. */
@Module({
  imports: [CouponsModule, DeploymentsModule, PaymentModule],
  exports: [ProgramOrders],
  providers: [ProgramDelivery, ProgramOrders],
})
export class ProgramsModule {}

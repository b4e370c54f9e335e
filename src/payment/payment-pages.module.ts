import { Module } from '@nestjs/common';

import { PaymentSettingsPages } from './gateways/index.js';
import { PaymentLogPages } from './log/index.js';
import { OrderPages } from './order-operations/index.js';
import { PaymentModule } from './payment.module.js';
import { OrderStatisticsPages } from './statistics/index.js';

/** The feature's pages; separate from its other parts, which work without requests. */
@Module({ imports: [PaymentModule], controllers: [OrderPages, OrderStatisticsPages, PaymentLogPages, PaymentSettingsPages] })
export class PaymentPagesModule {}

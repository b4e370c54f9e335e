import { Module } from '@nestjs/common';

import { OrderPages } from './order.pages.js';
import { OrderStatisticsPages } from './order-statistics.pages.js';
import { PaymentLogPages } from './payment-log.pages.js';
import { PaymentSettingsPages } from './payment-settings.pages.js';
import { PaymentModule } from './payment.module.js';

/** The feature's pages; separate from its other parts, which work without requests. */
@Module({ imports: [PaymentModule], controllers: [OrderPages, OrderStatisticsPages, PaymentLogPages, PaymentSettingsPages] })
export class PaymentPagesModule {}

import { Module } from '@nestjs/common';

import { OrderPages } from './order.pages.js';

/** The feature's pages. Apart from its other parts, which work without any request. */
@Module({ controllers: [OrderPages] })
export class PaymentPagesModule {}

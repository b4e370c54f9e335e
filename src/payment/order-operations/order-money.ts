import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { type Order, PaymentTransaction } from '../entities/index.js';
import { InquiryRepository } from '../inquiries/index.js';
import { RefundRepository } from '../refunds/index.js';
import { SecondPayments } from '../second-payments/index.js';

import type { OrderRows } from './order-history.js';

/** Payments of one order: what settled it, second payments, and refunds. */
@Injectable()
export class OrderMoney {
  constructor(
    private readonly database: Database,
    private readonly seconds: SecondPayments,
    private readonly refunds: RefundRepository,
    private readonly inquiryRows: InquiryRepository,
  ) {}

  async of(order: Order): Promise<OrderRows> {
    const [payment, seconds, refunds, inquiries] = await Promise.all([
      this.database.repository(PaymentTransaction).findOneBy({ orderId: order.id }),
      this.seconds.of(order.id),
      this.refunds.of(order.id),
      this.inquiryRows.of(order.id),
    ]);
    return { order, payment, seconds, refunds, inquiries };
  }

  /** Returns the refundable amount in fen. */
  left({ order, payment }: OrderRows): Promise<number> {
    return this.refunds.left(order, payment);
  }

  /** Returns whether the owner has a credit account for refunds. */
  toCredit({ order }: OrderRows): Promise<boolean> {
    return this.refunds.toCredit(order);
  }
}

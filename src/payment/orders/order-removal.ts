import { Injectable } from '@nestjs/common';

import { DAY_MS, Clock } from '../../common/index.js';
import { CouponUses } from '../../coupons/index.js';
import { Database } from '../../database/index.js';
import { OrderDispatch, type Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';

import { Orders } from './orders.js';

/** How long after it was sent to a gateway an order may still be paid there, in milliseconds. */
const MAY_BE_PAID_MS = DAY_MS;

/** Deletes unpaid orders with their history. Orders that were ever paid are kept. */
@Injectable()
export class OrderRemoval {
  private readonly remove;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly orders: Orders,
    private readonly coupons: CouponUses,
  ) {
    this.remove = database.statement(
      `DELETE FROM {Order} WHERE {Order.id} = ? AND {Order.status} IN ('unpaid', 'closed') AND {Order.paidAt} IS NULL
        AND NOT EXISTS (SELECT 1 FROM {PaymentTransaction} WHERE {PaymentTransaction.orderId} = {Order}.{Order.id})`,
    );
  }

  /**
   * @throws PaymentError ORDER_NOT_FOUND; ORDER_WAS_PAID; ORDER_MAY_BE_PAID if it was sent to a gateway within a day, because a payment
   * that arrives then would find no order
   */
  delete(id: number): Promise<Order> {
    return this.database.transaction(async () => {
      await this.database.lockRow('Order', 'id', id);
      const order = await this.orders.get(id);
      if (!order) throw new PaymentError('ORDER_NOT_FOUND');
      if (order.status !== 'unpaid' && order.status !== 'closed') throw new PaymentError('ORDER_WAS_PAID', { number: order.number });
      const sent = await this.database.repository(OrderDispatch).find({ where: { orderId: id }, order: { sentAt: 'DESC' }, take: 1 });
      const isRecent = sent.some(({ sentAt }) => sentAt.getTime() > this.clock.now().getTime() - MAY_BE_PAID_MS);
      if (isRecent) throw new PaymentError('ORDER_MAY_BE_PAID', { number: order.number });
      if ((await this.remove.run(id)).affected !== 1) throw new PaymentError('ORDER_WAS_PAID', { number: order.number });
      if (order.coupon !== null) await this.coupons.giveBack(id);
      const { number, user, name, status } = order;
      this.database.noteChange({ of: 'order', id }, { number, user, name, orderState: status }, null);
      return order;
    });
  }
}

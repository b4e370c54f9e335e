import { Injectable } from '@nestjs/common';

import { toYuan } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { PaymentError } from '../errors.js';
import { CONFIRMED_BY_HAND } from '../gateways/index.js';
import { OrderClosing, OrderHistoryRepository, Orders } from '../orders/index.js';
import { OrderNoteInput, OrderReasonInput } from '../payment.inputs.js';
import { Settlement } from '../settlement/index.js';

import { administratorOf, existingOrder } from './order-of-operation.js';

/** Gateway slug of payments confirmed by an administrator. */
const GATEWAY = 'manual';

/** Manual actions on one order, each with a reason that is stored in its history. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderActionOperations {
  constructor(
    private readonly database: Database,
    private readonly orders: Orders,
    private readonly settlement: Settlement,
    private readonly closing: OrderClosing,
    private readonly history: OrderHistoryRepository,
  ) {}

  /** Settles an order that was paid some other way, like a gateway does, so that it is delivered. */
  @Operation({
    side: 'admin',
    gn: 'ddbz',
    auth: 'admin',
    input: OrderReasonInput,
    audit: 'payment.audit.marked_paid',
    rate: 'write',
    secondProof: true,
  })
  async markPaid({ id, yy }: OrderReasonInput, ctx: CallContext): Promise<SuccessReply> {
    const order = await existingOrder(this.orders, id);
    await this.database.transaction(async () => {
      if (!(await this.orders.chooseType(id, CONFIRMED_BY_HAND))) throw new PaymentError('ORDER_NOT_UNPAID');
      // The transaction number contains the order number, so that one confirmation cannot settle two orders.
      const { ok, already } = await this.settlement.settle(order.number, GATEWAY, {
        trade_no: `hand-${order.number}`,
        amount: order.amount,
      });
      if (!ok || already) throw new PaymentError('ORDER_NOT_UNPAID');
      await this.history.add(id, 'by_hand', administratorOf(ctx), { reason: yy });
      this.database.noteChange({ of: 'order', id }, { orderState: order.status }, { orderState: 'paid' });
    });
    return new SuccessReply('payment.marked_paid', { id, ddh: order.number }, { number: order.number, rmb: toYuan(order.amount), yy });
  }

  /** Closes an unpaid order; a late payment still settles it. */
  @Operation({ side: 'admin', gn: 'ddgb', auth: 'admin', input: OrderReasonInput, audit: 'payment.audit.closed', rate: 'write' })
  async close({ id, yy }: OrderReasonInput, ctx: CallContext): Promise<SuccessReply> {
    const { number } = await existingOrder(this.orders, id);
    if (!(await this.closing.close(id, administratorOf(ctx), { reason: yy }))) throw new PaymentError('ORDER_NOT_UNPAID');
    this.database.noteChange({ of: 'order', id }, { orderState: 'unpaid' }, { orderState: 'closed' });
    return new SuccessReply('payment.order_closed', { id, ddh: number }, { number, yy });
  }

  /** Adds a note to the order's history, visible to administrators only. */
  @Operation({ side: 'admin', gn: 'ddbzx', auth: 'admin', input: OrderNoteInput, audit: 'payment.audit.noted', rate: 'write' })
  async note({ id, bz }: OrderNoteInput, ctx: CallContext): Promise<SuccessReply> {
    const { number } = await existingOrder(this.orders, id);
    await this.history.add(id, 'note', administratorOf(ctx), { note: bz });
    return new SuccessReply('payment.noted', { id }, { number });
  }
}

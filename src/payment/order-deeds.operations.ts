import { Injectable } from '@nestjs/common';

import { toYuan } from '../common/index.js';
import { Database } from '../database/index.js';
import { DeadLetters, EventDeliveries } from '../hooks/index.js';
import { Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import type { Order } from './entities/index.js';
import { PaymentError } from './errors.js';
import { OrderClosing } from './order-closing.js';
import { OrderDeeds, type OrderActor } from './order-deeds.js';
import { Orders } from './orders.js';
import { CONFIRMED_BY_HAND } from './payment-methods.js';
import { OrderIdInput, OrderNoteInput, OrderReasonInput } from './payment.inputs.js';
import { Settlement } from './settlement.js';

/** Gateway of a payment an administrator has seen arrive. */
const GATEWAY = 'manual';

/** What the reseller does with one order by hand, each with a reason that stands in its history. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderDeedOperations {
  constructor(
    private readonly database: Database,
    private readonly orders: Orders,
    private readonly settlement: Settlement,
    private readonly closing: OrderClosing,
    private readonly deeds: OrderDeeds,
    private readonly deliveries: EventDeliveries,
    private readonly deadLetters: DeadLetters,
  ) {}

  /** The money came some other way: settles the order as a gateway does, and what was ordered is delivered. */
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
    const order = await this.existing(id);
    await this.database.transaction(async () => {
      if (!(await this.orders.chooseType(id, CONFIRMED_BY_HAND))) throw new PaymentError('ORDER_NOT_UNPAID');
      // Its own number: two orders are never settled by the same word of an administrator.
      const { ok, already } = await this.settlement.settle(order.number, GATEWAY, {
        trade_no: `hand-${order.number}`,
        amount: order.amount,
      });
      if (!ok || already) throw new PaymentError('ORDER_NOT_UNPAID');
      await this.deeds.add(id, 'by_hand', actorOf(ctx), { reason: yy });
      this.database.noteChange({ of: 'order', id }, { orderState: order.status }, { orderState: 'paid' });
    });
    return new SuccessReply('payment.marked_paid', { id, ddh: order.number }, { number: order.number, rmb: toYuan(order.amount), yy });
  }

  /** Closes an unpaid order; a payment that comes late settles it all the same. */
  @Operation({ side: 'admin', gn: 'ddgb', auth: 'admin', input: OrderReasonInput, audit: 'payment.audit.closed', rate: 'write' })
  async close({ id, yy }: OrderReasonInput, ctx: CallContext): Promise<SuccessReply> {
    const { number } = await this.existing(id);
    if (!(await this.closing.close(id, actorOf(ctx), { reason: yy }))) throw new PaymentError('ORDER_NOT_UNPAID');
    this.database.noteChange({ of: 'order', id }, { orderState: 'unpaid' }, { orderState: 'closed' });
    return new SuccessReply('payment.order_closed', { id, ddh: number }, { number, yy });
  }

  /** Writes a note into the order's history, for administrators alone. */
  @Operation({ side: 'admin', gn: 'ddbzx', auth: 'admin', input: OrderNoteInput, audit: 'payment.audit.noted', rate: 'write' })
  async note({ id, bz }: OrderNoteInput, ctx: CallContext): Promise<SuccessReply> {
    const { number } = await this.existing(id);
    await this.deeds.add(id, 'note', actorOf(ctx), { note: bz });
    return new SuccessReply('payment.noted', { id }, { number });
  }

  /** Has what failed of its deliveries tried again, and what waits tried at once; the same delivery, so nothing is given twice. */
  @Operation({ side: 'admin', gn: 'ddcf', auth: 'admin', input: OrderIdInput, audit: 'payment.audit.delivered_again', rate: 'write' })
  async deliverAgain({ id }: OrderIdInput, ctx: CallContext): Promise<SuccessReply> {
    const { number } = await this.existing(id);
    let n = 0;
    for (const { id: delivery, state, attempts } of await this.deliveries.of(`order:${id}`)) {
      if (state === 'dead') n += Number(await this.deadLetters.retry(delivery));
      else if (state === 'pending' && attempts > 0) n += Number(await this.deadLetters.tryNow(delivery));
    }
    if (n === 0) throw new PaymentError('NOTHING_TO_DELIVER');
    await this.deeds.add(id, 'retried', actorOf(ctx), { n: String(n) });
    return new SuccessReply('payment.delivered_again', { id, n }, { number, n });
  }

  private async existing(id: number): Promise<Order> {
    const order = await this.orders.get(id);
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    return order;
  }
}

function actorOf(ctx: CallContext): OrderActor {
  return { source: 'admin', actor: ctx.admin?.username };
}

import { Injectable } from '@nestjs/common';

import { localeOf, toYuan } from '../../common/index.js';
import { ListReply, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { OrderSending } from '../checkout/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { OrderClosing, payPagePath, Orders } from '../orders/index.js';
import { OfferedMethodsInput, OrderNumberInput, PayOrderInput } from '../payment.inputs.js';

/** Customer operations on their own unpaid orders. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OwnOrderOperations {
  constructor(
    private readonly orders: Orders,
    private readonly closing: OrderClosing,
    private readonly sending: OrderSending,
  ) {}

  /** Lists the available methods: for an order those that accept its amount, otherwise all. */
  @Operation({ side: 'user', gn: 'zffs', auth: 'user', input: OfferedMethodsInput, audit: null, rate: 'read' })
  async offered({ ddh }: OfferedMethodsInput, ctx: CallContext): Promise<ListReply> {
    const amount = ddh ? (await this.openOrder(ddh, ctx)).amount : undefined;
    const methods = await this.sending.offered(amount, localeOf(ctx.locale));
    return new ListReply(
      methods.length,
      methods.map(({ type, display_name: name, icon }) => ({ ff: type, name, icon })),
    );
  }

  /** Sends the order to a gateway; the response contains the next step: a URL, a page, or a code to scan. */
  @Operation({ side: 'user', gn: 'ddzf', auth: 'user', input: PayOrderInput, audit: 'payment.audit.order_sent', rate: 'expensive' })
  async pay({ ddh, ff }: PayOrderInput, ctx: CallContext): Promise<SuccessReply> {
    const order = await this.openOrder(ddh, ctx);
    const way = await this.sending.send(order, ff, ctx.ip, localeOf(ctx.locale));
    return new SuccessReply('payment.order_sent', { ddh, rmb: toYuan(order.amount), pay_path: payPagePath(order), ...way });
  }

  /** Closes the order; a payment in progress still counts. */
  @Operation({ side: 'user', gn: 'ddqx', auth: 'user', input: OrderNumberInput, audit: 'payment.audit.order_cancelled', rate: 'write' })
  async cancel({ ddh }: OrderNumberInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = await this.openOrder(ddh, ctx);
    if (!(await this.closing.close(id, { source: 'user' }))) throw new PaymentError('ORDER_NOT_UNPAID');
    return new SuccessReply('payment.order_cancelled', { ddh, qk: 'closed' });
  }

  /** Returns the caller's unpaid order of that number. */
  private async openOrder(number: string, ctx: CallContext): Promise<Order> {
    const order = ctx.user && (await this.orders.getOwn(number, ctx.user.id));
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    if (order.status !== 'unpaid') throw new PaymentError('ORDER_NOT_UNPAID');
    return order;
  }
}

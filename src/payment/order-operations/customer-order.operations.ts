import { Injectable } from '@nestjs/common';
import { IsInt, Min } from 'class-validator';

import { localeOf } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { ListInput, ListReply, Operation, WholeNumber } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { PaymentMethods } from '../gateways/index.js';
import { CustomerOrders, orderWire } from '../orders/index.js';

/** Fields of `yhdd`. */
class CustomerOrdersInput extends ListInput {
  /** Id of the customer. */
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** Lists the orders of a customer for administrators. Source: docs/panel-api.md "Customers". */
@Injectable()
export class CustomerOrderOperations {
  constructor(
    private readonly orders: CustomerOrders,
    private readonly methods: PaymentMethods,
    private readonly config: AppConfig,
  ) {}

  /** Returns the orders of the customer and of their hosts, newest first. */
  @Operation({ side: 'admin', gn: 'yhdd', auth: 'admin', input: CustomerOrdersInput, audit: null, rate: 'read' })
  async list({ id, page, limit }: CustomerOrdersInput, ctx: CallContext): Promise<ListReply> {
    const [total, orders] = await Promise.all([this.orders.countOf(id), this.orders.of(id, (page - 1) * limit, limit)]);
    const nameOf = this.methods.names(localeOf(ctx.locale));
    return new ListReply(
      total,
      orders.map((order) => orderWire(order, this.config.timezone, nameOf(order.type))),
    );
  }
}

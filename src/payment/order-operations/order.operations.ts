import { Inject, Injectable, Optional } from '@nestjs/common';

import { localeOf, toFen } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { ListReply, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { daysOf } from '../day-range.js';
import { PaymentError } from '../errors.js';
import { PaymentMethods } from '../gateways/index.js';
import { OrderList, noteOrderMade, payPagePath, orderWire, Orders } from '../orders/index.js';
import { AddOrderInput, OrderListInput, OrderNumberInput } from '../payment.inputs.js';

import { ORDER_ACCOUNTS, type OrderAccounts } from './order-accounts.js';

const NO_ACCOUNTS: OrderAccounts = { findForLogin: () => Promise.resolve(null) };

/** Creates, lists and looks up orders. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderOperations {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly orders: Orders,
    private readonly list: OrderList,
    private readonly methods: PaymentMethods,
    @Optional() @Inject(ORDER_ACCOUNTS) private readonly accounts: OrderAccounts = NO_ACCOUNTS,
  ) {}

  @Operation({ side: 'admin', gn: 'adddd', auth: 'admin', input: AddOrderInput, audit: 'payment.audit.order_created', rate: 'write' })
  async addOrder(input: AddOrderInput, ctx: CallContext): Promise<SuccessReply> {
    const { user, scene, name, rmb, ff } = input;
    const amount = toFen(rmb);
    if (amount === null) throw new PaymentError('ORDER_INVALID', { field: 'rmb' }, { rmb: 'payment.field.amount' });
    // The owner is resolved now: an account that gets the name later must not see the order.
    const account = await this.accounts.findForLogin(user);
    const order = await this.orders.create({ user, owner: account && { account: account.id }, scene, name, amount, type: ff, ip: ctx.ip });
    noteOrderMade(this.database, order, { type: order.type });
    return new SuccessReply('payment.order_created', { id: order.id, ddh: order.number });
  }

  @Operation({ side: 'admin', gn: 'listdd', auth: 'admin', input: OrderListInput, audit: null, rate: 'read' })
  async listOrders(input: OrderListInput, ctx: CallContext): Promise<ListReply> {
    const { total, orders } = await this.list.page({ ...input, ...daysOf(input, this.config.timezone) });
    const nameOf = this.methods.names(localeOf(ctx.locale));
    return new ListReply(
      total,
      orders.map((order) => ({ ...orderWire(order, this.config.timezone, nameOf(order.type)), ip: order.ip })),
    );
  }

  @Operation({ side: 'user', gn: 'listdd', auth: 'user', input: OrderListInput, audit: null, rate: 'read' })
  async listOwnOrders(input: OrderListInput, ctx: CallContext): Promise<ListReply> {
    const { total, orders } = await this.list.page({ ...input, ...daysOf(input, this.config.timezone), accountId: accountOf(ctx) });
    const nameOf = this.methods.names(localeOf(ctx.locale));
    return new ListReply(
      total,
      orders.map((order) => ({
        ...orderWire(order, this.config.timezone, nameOf(order.type)),
        pay_path: order.status === 'unpaid' ? payPagePath(order) : null,
      })),
    );
  }

  @Operation({ side: 'user', gn: 'ddcx', auth: 'user', input: OrderNumberInput, audit: null, rate: 'read' })
  async orderStatus(input: OrderNumberInput, ctx: CallContext): Promise<SuccessReply> {
    const order = await this.orders.getOwn(input.ddh, accountOf(ctx));
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    return new SuccessReply('payment.found', { ddh: order.number, qk: order.status });
  }
}

/** The guard guarantees a user. */
function accountOf(ctx: CallContext): number {
  if (!ctx.user) throw new Error('A user operation ran without a user.');
  return ctx.user.id;
}

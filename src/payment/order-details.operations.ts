import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, toYuan, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { Database } from '../database/index.js';
import { EventDeliveries, isWrittenOff, LISTENER_MEMORY_DAYS, type SubjectDelivery } from '../hooks/index.js';
import { Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { type Order, PaymentTransaction } from './entities/index.js';
import { PaymentError } from './errors.js';
import { OrderHistory, type OrderRows } from './order-history.js';
import { payPagePath } from './order-record.js';
import { orderWire } from './order-wire.js';
import { Orders } from './orders.js';
import { PaymentMethods } from './payment-methods.js';
import { OrderKeyInput } from './payment.inputs.js';
import { SecondPayments } from './second-payments.js';

/** What the panel itself delivers: the listener of each scene. */
const CORE_SCENES: Readonly<Record<string, string>> = { xf: 'renewal' };

/** One order with everything that happened to it. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderDetailsOperations {
  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly orders: Orders,
    private readonly methods: PaymentMethods,
    private readonly secondPayments: SecondPayments,
    private readonly history: OrderHistory,
    private readonly deliveries: EventDeliveries,
  ) {}

  @Operation({ side: 'admin', gn: 'ddsj', auth: 'admin', input: OrderKeyInput, audit: null, rate: 'read' })
  async showOrder({ id, ddh }: OrderKeyInput, ctx: CallContext): Promise<SuccessReply> {
    const locale = localeOf(ctx.locale);
    const order = await this.orders.get(id ?? ddh ?? '');
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    const rows = await this.rowsOf(order);
    const { payment, seconds } = rows;
    return new SuccessReply('payment.found', {
      order: {
        ...(await this.wire(order)),
        ip: order.ip,
        cs: order.context,
        pay_url: order.status === 'unpaid' ? this.orders.toOrderSummary(order).pay_url : null,
      },
      payment: payment && {
        gateway: payment.gateway,
        trade_no: payment.tradeNumber,
        rmb: toYuan(payment.amount),
        amount_checked: payment.amountChecked,
        date: this.time(payment.createdAt),
      },
      second_payments: seconds.map((second) => ({
        id: second.id,
        gateway: second.gateway,
        trade_no: second.tradeNumber,
        rmb: toYuan(second.amount),
        date: this.time(second.createdAt),
        refunded: second.refundedAt !== null,
      })),
      history: await this.history.of(rows, 'admin', locale),
      deliveries: (await this.deliveriesOf(order)).map((delivery) => this.delivery(delivery, locale)),
    });
  }

  /** An own order; anybody else's is as one that is not there. */
  @Operation({ side: 'user', gn: 'ddsj', auth: 'user', input: OrderKeyInput, audit: null, rate: 'read' })
  async showOwnOrder({ id, ddh }: OrderKeyInput, ctx: CallContext): Promise<SuccessReply> {
    const order = await this.orders.get(id ?? ddh ?? '');
    if (!order || order.ownerKind !== 'account' || order.ownerId !== ctx.user?.id) throw new PaymentError('ORDER_NOT_FOUND');
    const rows = await this.rowsOf(order);
    const open = (await this.deliveriesOf(order)).some(({ state }) => state !== 'done' && state !== 'discarded');
    return new SuccessReply('payment.found', {
      order: { ...(await this.wire(order)), pay_path: order.status === 'unpaid' ? payPagePath(order) : null },
      payment: rows.payment && { rmb: toYuan(rows.payment.amount), date: this.time(rows.payment.createdAt) },
      history: await this.history.of(rows, 'user', localeOf(ctx.locale)),
      delivering: open,
    });
  }

  private async rowsOf(order: Order): Promise<OrderRows> {
    const [payment, seconds] = await Promise.all([
      this.database.repository(PaymentTransaction).findOneBy({ orderId: order.id }),
      this.secondPayments.of(order.id),
    ]);
    return { order, payment, seconds };
  }

  private async wire(order: Order): Promise<Record<string, unknown>> {
    return orderWire(order, this.config.timezone, (await this.methods.names())(order.type));
  }

  /** The panel's own listeners hear of every order and are told of where they deliver something. */
  private async deliveriesOf(order: Order): Promise<SubjectDelivery[]> {
    const all = await this.deliveries.of(`order:${order.id}`);
    return all.filter(({ owner, listener }) => owner !== 'core' || listener.endsWith(`:${CORE_SCENES[order.scene]}`));
  }

  private delivery({ id, owner, listener, state, attempts, error, at }: SubjectDelivery, locale: Locale): object {
    const told = error && isWrittenOff(error) ? translate(locale, error, { plugin: owner, days: LISTENER_MEMORY_DAYS }) : error;
    return { id, owner, listener, state, attempts, error: told, date: this.time(at) };
  }

  private time(at: Date): string {
    return legacyTime(at, this.config.timezone);
  }
}

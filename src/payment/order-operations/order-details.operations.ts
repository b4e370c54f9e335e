import { Injectable } from '@nestjs/common';

import { CORE_OWNER, legacyTime, localeOf, toYuan, translate, translateFor, type Locale } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { EventDeliveries, keyOfListener, isWrittenOff, LISTENER_MEMORY_DAYS, type SubjectDelivery } from '../../hooks/index.js';
import { Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { Order, OrderInquiry, Refund } from '../entities/index.js';
import { PaymentError } from '../errors.js';
import { GatewayCalls, PaymentMethods } from '../gateways/index.js';
import { payPagePath, orderWire, Orders, sceneWords } from '../orders/index.js';
import { OrderKeyInput } from '../payment.inputs.js';

import { OrderHistory } from './order-history.js';
import { OrderMoney } from './order-money.js';

/** Scenes delivered by the panel itself, with their listeners. */
const CORE_SCENES: Readonly<Record<string, string>> = { xf: 'renewal', bg: 'package', yecz: 'credit' };

/** Details of one order with its history. Source: docs/panel-api.md "Orders". */
@Injectable()
export class OrderDetailsOperations {
  constructor(
    private readonly config: AppConfig,
    private readonly orders: Orders,
    private readonly methods: PaymentMethods,
    private readonly money: OrderMoney,
    private readonly calls: GatewayCalls,
    private readonly history: OrderHistory,
    private readonly deliveries: EventDeliveries,
  ) {}

  @Operation({ side: 'admin', gn: 'ddsj', auth: 'admin', input: OrderKeyInput, audit: null, rate: 'read' })
  async showOrder({ id, ddh }: OrderKeyInput, ctx: CallContext): Promise<SuccessReply> {
    const locale = localeOf(ctx.locale);
    const order = await this.orders.get(id ?? ddh ?? '');
    if (!order) throw new PaymentError('ORDER_NOT_FOUND');
    const rows = await this.money.of(order);
    const { payment, seconds, refunds, inquiries } = rows;
    return new SuccessReply('payment.found', {
      order: {
        ...(await this.wire(order, localeOf(ctx.locale))),
        lxmc: sceneWords(order.scene, locale),
        ip: order.ip,
        cs: order.context,
        pay_url: order.status === 'unpaid' ? this.orders.toOrderSummary(order).pay_url : null,
        receipt_path: receiptPath(order),
      },
      payment: payment && {
        gateway: payment.gateway,
        jkmc: this.methods.gatewayName(payment.gateway, locale),
        trade_no: payment.tradeNumber,
        rmb: toYuan(payment.amount),
        amount_checked: payment.amountChecked,
        date: this.time(payment.createdAt),
      },
      second_payments: seconds.map((second) => ({
        id: second.id,
        gateway: second.gateway,
        jkmc: this.methods.gatewayName(second.gateway, locale),
        trade_no: second.tradeNumber,
        rmb: toYuan(second.amount),
        date: this.time(second.createdAt),
        refunded: second.refundedAt !== null,
      })),
      refunds: refunds.map((refund) => this.refund(refund)),
      refundable: toYuan(await this.money.left(rows)),
      refund_by_gateway: payment !== null && this.calls.can(payment.gateway, 'refund'),
      inquiries: inquiries.filter(({ askedAt }) => askedAt !== null).map((inquiry) => this.inquiry(inquiry, locale)),
      can_ask: inquiries.some(({ gateway }) => this.calls.can(gateway, 'query')),
      refund_to_credit: await this.money.toCredit(rows),
      history: await this.history.of(rows, 'admin', locale),
      deliveries: (await this.deliveriesOf(order)).map((delivery) => this.delivery(delivery, locale)),
    });
  }

  /** Returns an order of the caller; another owner's order is reported as not found. */
  @Operation({ side: 'user', gn: 'ddsj', auth: 'user', input: OrderKeyInput, audit: null, rate: 'read' })
  async showOwnOrder({ id, ddh }: OrderKeyInput, ctx: CallContext): Promise<SuccessReply> {
    const order = await this.orders.get(id ?? ddh ?? '');
    if (!order || order.ownerKind !== 'account' || order.ownerId !== ctx.user?.id) throw new PaymentError('ORDER_NOT_FOUND');
    const rows = await this.money.of(order);
    const open = (await this.deliveriesOf(order)).some(({ state }) => state !== 'done' && state !== 'discarded');
    return new SuccessReply('payment.found', {
      order: {
        ...(await this.wire(order, localeOf(ctx.locale))),
        pay_path: order.status === 'unpaid' ? payPagePath(order) : null,
        receipt_path: receiptPath(order),
      },
      payment: rows.payment && { rmb: toYuan(rows.payment.amount), date: this.time(rows.payment.createdAt) },
      history: await this.history.of(rows, 'user', localeOf(ctx.locale)),
      delivering: open,
    });
  }

  private async wire(order: Order, locale: Locale): Promise<Record<string, unknown>> {
    return orderWire(order, this.config.timezone, this.methods.names(locale)(order.type));
  }

  /** The panel's own listeners receive every order, but are listed only where they deliver something. */
  private async deliveriesOf(order: Order): Promise<SubjectDelivery[]> {
    const all = await this.deliveries.of(`order:${order.id}`);
    const id = CORE_SCENES[order.scene];
    const own = id && keyOfListener(CORE_OWNER, 'order.paid', id);
    return all.filter(({ owner, listener }) => owner !== CORE_OWNER || listener === own);
  }

  private inquiry({ gateway, said, words, askedAt, dueAt }: OrderInquiry, locale: Locale): object {
    const jkmc = this.methods.gatewayName(gateway, locale);
    return { gateway, jkmc, zt: said, words, date: this.time(askedAt!), next: dueAt && this.time(dueAt) };
  }

  private refund({ id, number, way, amount, state, words, reason, createdAt }: Refund): object {
    return { id, tkh: number, way, rmb: toYuan(amount), zt: state, words, reason, date: this.time(createdAt) };
  }

  private delivery({ id, owner, listener, state, attempts, error, at }: SubjectDelivery, locale: Locale): object {
    const text = error && isWrittenOff(error) ? translate(locale, error, { plugin: owner, days: LISTENER_MEMORY_DAYS }) : error;
    return { id, owner, jsz: receiverName(owner, locale), listener, state, attempts, error: text, date: this.time(at) };
  }

  private time(at: Date): string {
    return legacyTime(at, this.config.timezone);
  }
}

/** Returns the display name of an event's receiver: the panel or the plugin; the slug of a disabled plugin. */
function receiverName(owner: string, locale: Locale): string {
  if (owner === CORE_OWNER) return translate(locale, 'payment.history.by_cron');
  const name = translateFor(owner, locale, 'plugin.name');
  return name === 'plugin.name' ? owner : name;
}

/** Returns the path of the receipt; null for an unpaid order. */
function receiptPath(order: Order): string | null {
  return order.paidAt === null ? null : payPagePath(order, '/receipt');
}

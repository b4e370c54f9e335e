import { Injectable } from '@nestjs/common';

import { legacyTime, toYuan, translate, type Locale, type TextParams } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import type { Scope } from '../../sdk/index.js';
import type { Order, OrderHistoryEntry, OrderInquiry, PaymentTransaction, Refund } from '../entities/index.js';
import { PaymentMethods } from '../gateways/index.js';
import type { SecondPaymentRow } from '../notices/index.js';
import { OrderHistoryRepository } from '../orders/index.js';

/** Kinds shown to the customer besides creation and payment; notes and refused notifications are for the reseller only. */
const FOR_OWNERS: readonly string[] = ['sent', 'closed'];
/** Kinds that always follow a payment. */
const FOLLOWS_PAYMENT: readonly string[] = ['by_hand', 'found', 'repeated', 'retried'];
/** Sources that are neither gateway nor plugin. */
const KNOWN_SOURCES: readonly string[] = ['admin', 'user', 'cron'];

/** A line of an order's history; every value is text. */
export interface HistoryLine {
  date: string;
  /** Kind of event, such as `paid`. */
  kind: string;
  /** Display name of the actor. */
  who: string;
  /** Description. */
  text: string;
}

/** A line before translation. */
interface HistoryEntry {
  readonly at: Date;
  readonly kind: string;
  readonly source: string;
  readonly actor?: string | null;
  readonly params?: TextParams;
}

/** Rows that the history of an order is assembled from. */
export interface OrderRows {
  readonly order: Order;
  readonly payment: PaymentTransaction | null;
  readonly seconds: readonly SecondPaymentRow[];
  readonly refunds: readonly Refund[];
  /** Inquiries at gateways. */
  readonly inquiries: readonly OrderInquiry[];
}

/** The complete history of an order, in chronological order. */
@Injectable()
export class OrderHistory {
  constructor(
    private readonly entries: OrderHistoryRepository,
    private readonly methods: PaymentMethods,
    private readonly config: AppConfig,
  ) {}

  /** @param side the reader's side: customers do not see which administrator acted, or entries meant for the reseller */
  async of({ order, payment, seconds, refunds }: OrderRows, side: Scope, locale: Locale): Promise<HistoryLine[]> {
    const entries = await this.entries.of(order.id);
    const nameOf = this.methods.names(locale);
    const isOwner = side === 'user';
    const lines = entries.filter(({ what }) => !isOwner || FOR_OWNERS.includes(what));
    const timeline = [
      { at: order.createdAt, kind: 'created', source: '' },
      // Entries with the same time appear in this order.
      ...lines.filter(({ what }) => !FOLLOWS_PAYMENT.includes(what)).map((entry) => ofEntry(entry, nameOf)),
      ...(payment ? [ofPayment(order, payment, isOwner, nameOf)] : []),
      ...lines.filter(({ what }) => FOLLOWS_PAYMENT.includes(what)).map((entry) => ofEntry(entry, nameOf)),
      ...(isOwner ? [] : seconds.flatMap(ofSecond)),
      ...refunds.flatMap((refund) => ofRefund(refund, isOwner)),
    ] satisfies HistoryEntry[];
    return timeline.sort((a, b) => a.at.getTime() - b.at.getTime()).map((line) => this.toLine(line, isOwner, locale));
  }

  private toLine({ at, kind, source, actor, params = {} }: HistoryEntry, isOwner: boolean, locale: Locale): HistoryLine {
    const given = wordOf(params, 'reason');
    const reason = given !== '' && kind === 'refused' ? translate(locale, `payment.settle.${given}`) : given;
    const slug = wordOf(params, 'gateway');
    const gateway = slug === '' ? '' : this.methods.gatewayName(slug, locale);
    const text = translate(locale, `payment.history.${kind}`, { ...params, gateway, reason });
    const why = kind !== 'refused' && reason ? translate(locale, 'payment.history.why', { reason }) : '';
    return { date: legacyTime(at, this.config.timezone), kind, who: this.who(source, actor, isOwner, locale), text: text + why };
  }

  private who(source: string, actor: string | null | undefined, isOwner: boolean, locale: Locale): string {
    if (actor && !isOwner) return actor;
    return KNOWN_SOURCES.includes(source) ? translate(locale, `payment.history.by_${source}`) : this.methods.gatewayName(source, locale);
  }
}

/** Returns a text parameter; empty if missing. */
function wordOf(params: TextParams, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

function ofEntry({ createdAt, what, source, actor, params }: OrderHistoryEntry, nameOf: (type: string) => string): HistoryEntry {
  const type = wordOf(params, 'type');
  const named = type === '' ? params : { ...params, method: nameOf(type) };
  return { at: createdAt, kind: what, source, actor, params: named };
}

function ofPayment(order: Order, payment: PaymentTransaction, isOwner: boolean, nameOf: (type: string) => string): HistoryEntry {
  const kind = payment.amountChecked || isOwner ? 'paid' : 'paid_unchecked';
  const params = { rmb: toYuan(payment.amount), method: nameOf(order.type), trade_no: payment.tradeNumber };
  return { at: payment.createdAt, kind, source: payment.gateway, params };
}

function ofSecond({ createdAt, refundedAt, state, gateway, amount, tradeNumber }: SecondPaymentRow): HistoryEntry[] {
  const params = { rmb: toYuan(amount), gateway, trade_no: tradeNumber };
  const came = { at: createdAt, kind: 'second', source: gateway, params };
  return refundedAt
    ? [came, { at: refundedAt, kind: state === 'credit' ? 'second_credit' : 'second_refunded', source: 'admin', params }]
    : [came];
}

/** Owners see completed refunds only. */
function ofRefund(
  { createdAt, doneAt, state, way, gateway, amount, number, reason, words, actor }: Refund,
  isOwner: boolean,
): HistoryEntry[] {
  const params = { rmb: toYuan(amount), trade_no: number };
  const source = way === 'gateway' ? gateway : 'admin';
  const done: HistoryEntry[] = state === 'done' && doneAt ? [{ at: doneAt, kind: 'refund_done', source, params }] : [];
  if (isOwner) return done;
  const refused: HistoryEntry[] =
    state === 'refused' && doneAt ? [{ at: doneAt, kind: 'refund_refused', source, params: { ...params, words } }] : [];
  return [{ at: createdAt, kind: `refund_${way}`, source: 'admin', actor, params: { ...params, reason } }, ...done, ...refused];
}

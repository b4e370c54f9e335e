import { Injectable } from '@nestjs/common';

import { toYuan, type TextRef } from '../../common/index.js';
import { Notices, registerNotice, type NoticeAudience } from '../../notify/index.js';
import type { Order, Refund, SecondPayment } from '../entities/index.js';
import { PaymentMethods } from '../gateways/index.js';
import { payPagePath } from '../orders/index.js';

import type { SecondPaymentRow } from './second-payment-row.js';

const SAMPLE = { number: '2026010112000012345678', rmb: '19.90', gateway: 'alipay', trade_no: '20260101000001' };

registerNotice({
  kind: 'payment',
  title: { key: 'payment.notice_second', params: { number: SAMPLE.number } },
  texts: [{ key: 'payment.banner_second', params: SAMPLE }],
});
registerNotice({
  kind: 'payment',
  title: { key: 'payment.notice_late', params: { number: SAMPLE.number } },
  texts: [{ key: 'payment.notice_late_text', params: SAMPLE }],
});

registerNotice({
  kind: 'payment',
  title: { key: 'payment.notice_refunded', params: { number: SAMPLE.number } },
  texts: [
    { key: 'payment.notice_refunded_gateway_text', params: SAMPLE },
    { key: 'payment.notice_refunded_hand_text', params: SAMPLE },
    { key: 'payment.notice_refunded_credit_text', params: SAMPLE },
  ],
});
registerNotice({
  kind: 'payment',
  title: { key: 'payment.notice_second_credit', params: { number: SAMPLE.number } },
  texts: [
    { key: 'payment.notice_second_credit_text', params: SAMPLE },
    { key: 'payment.notice_second_refunded_text', params: SAMPLE },
  ],
});

/**
 * Notifies administrators of unexpected payments, and owners of refunds; in the transaction that records them, so that each
 * is notified exactly once.
 */
@Injectable()
export class PaymentNotices {
  constructor(
    private readonly notices: Notices,
    private readonly methods: PaymentMethods,
  ) {}

  /** Notifies administrators of a second payment to refund. */
  async second(payment: Omit<SecondPaymentRow, 'createdAt' | 'refundedAt' | 'state'>): Promise<void> {
    const { id, number, tradeNumber, amount } = payment;
    const gateway = this.methods.gatewayWords(payment.gateway);
    await this.notices.tell({
      to: 'administrators',
      kind: 'payment',
      level: 'danger',
      key: `second-payment:${id}`,
      title: { key: 'payment.notice_second', params: { number } },
      text: { key: 'payment.banner_second', params: { number, rmb: toYuan(amount), gateway, trade_no: tradeNumber } },
      link: '/admin/second-payments',
    });
  }

  /** Notifies administrators of a payment for a closed order, which is settled and delivered. */
  async late({ id, number, amount }: Order, slug: string, tradeNumber: string): Promise<void> {
    const gateway = this.methods.gatewayWords(slug);
    await this.notices.tell({
      to: 'administrators',
      kind: 'payment',
      level: 'info',
      key: `late-payment:${id}`,
      title: { key: 'payment.notice_late', params: { number } },
      text: { key: 'payment.notice_late_text', params: { number, rmb: toYuan(amount), gateway, trade_no: tradeNumber } },
      link: `/admin/order?id=${id}`,
    });
  }

  /** Notifies the owner of a second payment added to their credit. */
  secondCredited(order: Order, payment: SecondPayment): Promise<void> {
    return this.secondBack(order, payment, 'payment.notice_second_credit_text', 'second-credit');
  }

  /** Notifies the owner of a refunded second payment. */
  secondRefunded(order: Order, payment: Pick<SecondPayment, 'id' | 'amount'>): Promise<void> {
    return this.secondBack(order, payment, 'payment.notice_second_refunded_text', 'second-refund');
  }

  /** Notifies the owner of a refund. */
  refunded(order: Order, { id, amount, way }: Refund): Promise<void> {
    const { number } = order;
    const text = { key: `payment.notice_refunded_${way}_text`, params: { number, rmb: toYuan(amount) } };
    return this.notifyOwner(order, `refund:${id}`, { key: 'payment.notice_refunded', params: { number } }, text);
  }

  private secondBack(order: Order, { id, amount }: Pick<SecondPayment, 'id' | 'amount'>, text: string, key: string): Promise<void> {
    const { number } = order;
    const message = { key: text, params: { number, rmb: toYuan(amount) } };
    return this.notifyOwner(order, `${key}:${id}`, { key: 'payment.notice_second_credit', params: { number } }, message);
  }

  private async notifyOwner(order: Order, key: string, title: TextRef, text: TextRef): Promise<void> {
    const owner = ownerOf(order);
    if (owner) await this.notices.tell({ ...owner, kind: 'payment', level: 'success', key, title, text });
  }
}

/**
 * Returns the recipient of an order's notifications and the link for them; null without an owner. A customer has no user
 * side, so the link is the order's own page.
 */
function ownerOf(order: Order): { to: NoticeAudience; link: string } | null {
  const { id, ownerKind, ownerId } = order;
  if (ownerKind === null || ownerId === null) return null;
  return ownerKind === 'account'
    ? { to: { accountId: ownerId }, link: `/user/order?id=${id}` }
    : { to: { customer: ownerId }, link: payPagePath(order) };
}

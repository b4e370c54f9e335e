import './texts.js';

import { Injectable } from '@nestjs/common';

import { toYuan } from '../common/index.js';
import { Notices, registerNotice } from '../notify/index.js';

import type { Order, Refund, SecondPayment } from './entities/index.js';
import type { SecondPaymentRow } from './second-payments.js';

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
  texts: [{ key: 'payment.notice_refunded_text', params: SAMPLE }],
});
registerNotice({
  kind: 'payment',
  title: { key: 'payment.notice_second_credit', params: { number: SAMPLE.number } },
  texts: [{ key: 'payment.notice_second_credit_text', params: SAMPLE }],
});

/** Tells administrators of money they would not expect; each in the transaction that writes it down, so that it is told, and told once. */
@Injectable()
export class PaymentNotices {
  constructor(private readonly notices: Notices) {}

  /** Money that came twice and is to be given back. */
  async second({ id, number, gateway, tradeNumber, amount }: Omit<SecondPaymentRow, 'createdAt' | 'refundedAt' | 'state'>): Promise<void> {
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

  /** Money for an order that was closed: it counts, and what was ordered is delivered. */
  async late({ id, number, amount }: Order, gateway: string, tradeNumber: string): Promise<void> {
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

  /** Money that came twice and is in the credit of who paid it. */
  async secondCredited({ number, user, ownerKind }: Order, { id, amount }: SecondPayment): Promise<void> {
    if (ownerKind !== 'account') return;
    await this.notices.tell({
      to: { account: user },
      kind: 'payment',
      level: 'info',
      key: `second-credit:${id}`,
      title: { key: 'payment.notice_second_credit', params: { number } },
      text: { key: 'payment.notice_second_credit_text', params: { number, rmb: toYuan(amount) } },
      link: '/user/credit',
    });
  }

  /** Money its owner gets back. */
  async refunded({ id, number, user, ownerKind }: Order, { id: refund, amount }: Refund): Promise<void> {
    if (ownerKind !== 'account') return;
    await this.notices.tell({
      to: { account: user },
      kind: 'payment',
      level: 'info',
      key: `refund:${refund}`,
      title: { key: 'payment.notice_refunded', params: { number } },
      text: { key: 'payment.notice_refunded_text', params: { number, rmb: toYuan(amount) } },
      link: `/user/order?id=${id}`,
    });
  }
}

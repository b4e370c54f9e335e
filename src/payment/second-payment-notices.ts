import './texts.js';

import { Injectable } from '@nestjs/common';

import { toYuan } from '../common/index.js';
import { Notices, registerNotice } from '../notify/index.js';

import type { SecondPaymentRow } from './second-payments.js';

registerNotice({
  kind: 'payment',
  title: { key: 'payment.notice_second', params: { number: '2026010112000012345678' } },
  texts: [
    {
      key: 'payment.banner_second',
      params: { number: '2026010112000012345678', rmb: '19.90', gateway: 'alipay', trade_no: '20260101000001' },
    },
  ],
});

/** Tells administrators of money that came twice and is to be given back. */
@Injectable()
export class SecondPaymentNotices {
  constructor(private readonly notices: Notices) {}

  /** In the transaction that writes the payment down, so that each is told, and told once. */
  async tell({ id, number, gateway, tradeNumber, amount }: Omit<SecondPaymentRow, 'createdAt' | 'refundedAt'>): Promise<void> {
    await this.notices.tell({
      to: 'administrators',
      kind: 'payment',
      level: 'danger',
      key: `second-payment:${id}`,
      title: { key: 'payment.notice_second', params: { number } },
      text: { key: 'payment.banner_second', params: { number, rmb: toYuan(amount), gateway, trade_no: tradeNumber } },
      link: '/admin/orders',
    });
  }
}

import './texts.js';

import { Injectable } from '@nestjs/common';

import { toYuan } from '../common/index.js';
import { Job } from '../jobs/index.js';
import { Notices, registerNotice } from '../notify/index.js';

import { SecondPayments } from './second-payments.js';

/** Payments told of in one run. */
const MOST = 100;

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
  constructor(
    private readonly payments: SecondPayments,
    private readonly notices: Notices,
  ) {}

  /** Each is told once. @returns how many people were told */
  @Job({ name: 'second-payments', everyMinutes: 5, catchUp: true })
  async tell(): Promise<number> {
    let told = 0;
    for (const { id, number, gateway, tradeNumber, amount } of await this.payments.open(MOST))
      told += await this.notices.tell({
        to: 'administrators',
        kind: 'payment',
        level: 'danger',
        key: `second-payment:${id}`,
        title: { key: 'payment.notice_second', params: { number } },
        text: { key: 'payment.banner_second', params: { number, rmb: toYuan(amount), gateway, trade_no: tradeNumber } },
        link: '/admin/orders',
      });
    return told;
  }
}

import { Injectable } from '@nestjs/common';

import { Notices, registerNotice } from '../notify/index.js';

registerNotice({
  kind: 'payment',
  title: { key: 'ledger.notice_differs', params: { n: 2 } },
  texts: [{ key: 'ledger.notice_differs_text', params: {} }],
});

/** Notifies administrators about differences between the ledger and the orders. */
@Injectable()
export class LedgerNotices {
  constructor(private readonly notices: Notices) {}

  /** @param check id of the check. @param n number of differences that the previous check did not find */
  async differs(check: number, n: number): Promise<void> {
    await this.notices.send({
      to: 'administrators',
      kind: 'payment',
      level: 'danger',
      key: `ledger-check:${check}`,
      title: { key: 'ledger.notice_differs', params: { n } },
      text: { key: 'ledger.notice_differs_text', params: {} },
      link: '/admin/credit-check',
    });
  }
}

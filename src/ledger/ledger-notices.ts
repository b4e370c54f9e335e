import { Injectable } from '@nestjs/common';

import { Notices, registerNotice } from '../notify/index.js';

registerNotice({
  kind: 'payment',
  title: { key: 'ledger.notice_differs', params: { n: 2 } },
  texts: [{ key: 'ledger.notice_differs_text', params: {} }],
});

/** Tells administrators that the ledger and the orders do not agree. */
@Injectable()
export class LedgerNotices {
  constructor(private readonly notices: Notices) {}

  /** @param check id of the check that found it. @param n how many differences it found that the one before had not */
  async differs(check: number, n: number): Promise<void> {
    await this.notices.tell({
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

import { Injectable } from '@nestjs/common';

import { Notices, registerNotice } from '../notify/index.js';
import type { OrderRecord } from '../sdk/index.js';

import type { PackageError } from './errors.js';

const SAMPLE = { number: '2026010112000012345678', user: 'alice01', reason: { key: 'packages.moved', params: {} } };

registerNotice({
  kind: 'payment',
  title: { key: 'packages.notice_refused', params: SAMPLE },
  texts: [
    { key: 'packages.notice_refused_text', params: SAMPLE },
    { key: 'packages.notice_refused_own', params: SAMPLE },
  ],
});

/** Notifies both sides, once per order and error, that an order was paid but the package is unchanged. */
@Injectable()
export class PackageNotices {
  constructor(private readonly notices: Notices) {}

  async refused(
    { id, ddh, user }: Pick<OrderRecord, 'id' | 'ddh' | 'user'>,
    { shape, params: numbers, code }: PackageError,
  ): Promise<void> {
    const params = { number: ddh, user, reason: { key: shape.text, params: numbers } };
    const notice = {
      kind: 'payment',
      level: 'warning',
      key: `package-refused:${id}:${code}`,
      title: { key: 'packages.notice_refused', params },
    } as const;
    await this.notices.send({
      ...notice,
      to: 'administrators',
      text: { key: 'packages.notice_refused_text', params },
      link: `/admin/order?id=${id}`,
    });
    await this.notices.send({
      ...notice,
      to: { account: user },
      text: { key: 'packages.notice_refused_own', params },
      link: `/user/order?ddh=${ddh}`,
    });
  }
}

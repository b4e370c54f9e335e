import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Notices, registerNotice } from '../../notify/index.js';
import type { HostingAccount } from '../entities/index.js';

const why = { yy: 'Unpaid' };

registerNotice({
  kind: 'expire',
  title: { key: 'hosting.pause_title' },
  texts: [{ key: 'hosting.pause_notice' }, { key: 'hosting.pause_notice_why', params: why }],
});
registerNotice({
  kind: 'expire',
  title: { key: 'hosting.resume_title' },
  texts: [{ key: 'hosting.resume_notice' }, { key: 'hosting.resume_notice_why', params: why }],
});

/** Maximum length of an administrator's reason, in characters. */
export const LONGEST_REASON = 300;

/** Notifies owners that an administrator has paused or resumed their host. */
@Injectable()
export class PauseNotices {
  constructor(
    private readonly notices: Notices,
    private readonly clock: Clock,
  ) {}

  /** @param why the administrator's reason; may be empty */
  async send(action: 'pause' | 'resume', why: string, { id, username }: Pick<HostingAccount, 'id' | 'username'>): Promise<void> {
    await this.notices.send({
      to: { account: username },
      kind: 'expire',
      level: action === 'pause' ? 'warning' : 'success',
      key: `${action}:${id}:${this.clock.now().getTime()}`,
      title: { key: `hosting.${action}_title` },
      text: why === '' ? { key: `hosting.${action}_notice` } : { key: `hosting.${action}_notice_why`, params: { yy: why } },
      link: '/user/',
    });
  }
}

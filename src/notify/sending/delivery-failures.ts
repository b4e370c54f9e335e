import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AppError, type TextRef } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import type { NoticeDelivery } from '../entities/index.js';
import { MailFailure } from '../mail/index.js';
import { Notices } from '../notices.js';
import { Deliveries } from '../outbox/index.js';
import { registerNotice } from '../templates/index.js';

import { NoticeMails } from './notice-mails.js';

/** Errors of the message itself, not of its delivery: another attempt would fail the same way. */
const OF_THIS_MESSAGE: readonly string[] = ['RECEIVER_REFUSED', 'MESSAGE_REFUSED', 'BOUNCED', 'NOT_SET_UP', 'MISSING'];

const REASON = { key: 'notify.mail_failure.wrong_password', params: { server: 'smtp.example.com:465', reply: '535' } };
registerNotice({
  kind: 'system',
  title: { key: 'notify.bounced_title', params: { address: 'name@example.com' } },
  texts: [{ key: 'notify.bounced_text', params: { address: 'name@example.com', user: 'example', reason: REASON } }],
});
registerNotice({
  kind: 'system',
  title: { key: 'notify.mail_broken_title' },
  texts: [{ key: 'notify.mail_broken_text', params: { reason: REASON } }],
});

/** Decides what becomes of deliveries that failed. */
@Injectable()
export class DeliveryFailures {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly mails: NoticeMails,
    private readonly notices: Notices,
    private readonly clock: ZonedClock,
  ) {}

  /**
   * Records why deliveries failed, and notifies administrators of problems with addresses and the mail server.
   *
   * @param isLast whether this was the last attempt
   * @throws the error, so that the task is tried again
   */
  async record(deliveries: readonly NoticeDelivery[], isLast: boolean, error: unknown): Promise<void> {
    const reason: TextRef = error instanceof AppError ? error.told : { key: 'notify.delivery_failed' };
    const isFinal = error instanceof AppError && OF_THIS_MESSAGE.includes(error.code);
    if (error instanceof MailFailure) await this.notifyAdministrators(deliveries[0]!, error);
    if (isFinal || isLast) return this.deliveries.note(deliveries, 'failed', reason);
    await this.deliveries.note(deliveries, 'waiting', reason);
    throw error;
  }

  /** Notifies administrators of an address that bounces, and of a mail server whose problem does not go away without them. */
  private async notifyAdministrators({ target, username }: NoticeDelivery, failure: MailFailure): Promise<void> {
    const reason: TextRef = failure.told;
    if (failure.code === 'RECEIVER_REFUSED') {
      if (!(await this.mails.markBounced(target, String(failure.params.reply)))) return;
      await this.notices.send({
        to: 'administrators',
        kind: 'system',
        level: 'warning',
        key: `bounce:${createHash('sha256').update(`${target.toLowerCase()} ${this.clock.now().getTime()}`).digest('hex')}`,
        title: { key: 'notify.bounced_title', params: { address: target } },
        text: { key: 'notify.bounced_text', params: { address: target, user: username, reason } },
        link: '/admin/deliveries',
      });
    } else if (failure.isLasting && !OF_THIS_MESSAGE.includes(failure.code)) {
      await this.notices.send({
        to: 'administrators',
        kind: 'system',
        level: 'danger',
        key: `mail-broken:${failure.code}:${this.clock.today()}`,
        title: { key: 'notify.mail_broken_title' },
        text: { key: 'notify.mail_broken_text', params: { reason } },
        link: '/admin/settings?tab=mail',
      });
    }
  }
}

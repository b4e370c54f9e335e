import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { AppError, Clock, legacyDay, localeOf, type Locale, type TextRef } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { BackgroundTask, Job, type TaskTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { Notice, NoticeDelivery } from '../entities/index.js';
import { MailFailure } from '../mail/index.js';
import { Notices } from '../notices.js';
import { DELIVER_TASK, DIGEST_TASK, Deliveries, type DigestTarget } from '../outbox/index.js';
import { Preferences } from '../receivers/index.js';
import { registerNotice } from '../templates/index.js';

import { NoticeChannelMessages } from './notice-channel-messages.js';
import { NoticeMails } from './notice-mails.js';

/** With a wait that doubles from a minute to an hour, the last attempt is more than a day after the first. */
const ATTEMPTS = 32;
/** Messages in one digest. */
const MOST_IN_DIGEST = 100;

/** What is about this one message, and not about the way it goes: another attempt would end the same way. */
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

/** Sends what is planned, and sees to what does not arrive. */
@Injectable()
export class DeliveryWorker {
  constructor(
    private readonly database: Database,
    private readonly deliveries: Deliveries,
    private readonly mails: NoticeMails,
    private readonly channels: NoticeChannelMessages,
    private readonly notices: Notices,
    private readonly preferences: Preferences,
    private readonly settings: SiteSettings,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  @BackgroundTask({ name: DELIVER_TASK, attempts: ATTEMPTS, backoffSeconds: 60, timeoutMinutes: 2, concurrency: 4, forgetDone: true })
  async deliver(payload: unknown, turn: TaskTurn): Promise<void> {
    const { id } = payload as { id: number };
    const delivery = await this.database.repository(NoticeDelivery).findOneBy({ id, state: 'waiting' });
    if (delivery) await this.attempt([delivery], turn);
  }

  @BackgroundTask({ name: DIGEST_TASK, attempts: ATTEMPTS, backoffSeconds: 60, timeoutMinutes: 2, concurrency: 2, forgetDone: true })
  async deliverDigest(payload: unknown, turn: TaskTurn): Promise<void> {
    const { side, accountId, route, target } = payload as DigestTarget;
    for (;;) {
      turn.signal.throwIfAborted();
      const where = { side, accountId, route, target, state: 'waiting', digest: true } as const;
      const found = await this.database.repository(NoticeDelivery).find({ where, order: { id: 'ASC' }, take: MOST_IN_DIGEST });
      if (found.length === 0) return;
      await this.attempt(found, turn);
    }
  }

  /** What lost its task in the queue gets another one. @returns how many were put back */
  @Job({ name: 'notice-deliveries', everyMinutes: 10 })
  requeue(): Promise<number> {
    return this.deliveries.requeue(500);
  }

  private async attempt(deliveries: readonly NoticeDelivery[], turn: TaskTurn): Promise<void> {
    const notices = await this.noticesOf(deliveries);
    const there = deliveries.filter(({ noticeId }) => notices.has(noticeId));
    const gone = deliveries.filter(({ noticeId }) => !notices.has(noticeId));
    if (gone.length > 0) await this.deliveries.note(ids(gone), 'dropped', null);
    if (there.length === 0) return;
    try {
      const bundle = there.map(({ noticeId }) => notices.get(noticeId)!);
      const [first] = there as [NoticeDelivery];
      const locale = await this.localeOf(first);
      if (first.channelId === null) await this.mails.send(first, bundle, locale);
      else await this.channels.send(first, bundle, locale, turn.signal);
      await this.deliveries.note(ids(there), 'sent', null);
    } catch (error) {
      await this.failed(there, turn, error);
    }
  }

  /** @throws what was thrown where it is to be tried again */
  private async failed(deliveries: readonly NoticeDelivery[], turn: TaskTurn, error: unknown): Promise<void> {
    const told: TextRef = error instanceof AppError ? error.told : { key: 'notify.delivery_failed' };
    const isFinal = error instanceof AppError && OF_THIS_MESSAGE.includes(error.code);
    if (error instanceof MailFailure) await this.tellAdministrators(deliveries[0]!, error);
    if (isFinal || turn.attempt >= ATTEMPTS) return this.deliveries.note(ids(deliveries), 'failed', told);
    await this.deliveries.note(ids(deliveries), 'waiting', told);
    throw error;
  }

  /** An address that takes nothing, and a mail server that takes nothing for a reason somebody has to see to. */
  private async tellAdministrators({ target, username }: NoticeDelivery, failure: MailFailure): Promise<void> {
    const reason: TextRef = failure.told;
    if (failure.code === 'RECEIVER_REFUSED') {
      if (!(await this.mails.markBounced(target, String(failure.params.reply)))) return;
      await this.notices.tell({
        to: 'administrators',
        kind: 'system',
        level: 'warning',
        key: `bounce:${createHash('sha256').update(`${target.toLowerCase()} ${this.clock.now().getTime()}`).digest('hex')}`,
        title: { key: 'notify.bounced_title', params: { address: target } },
        text: { key: 'notify.bounced_text', params: { address: target, user: username, reason } },
        link: '/admin/deliveries',
      });
    } else if (failure.isLasting && !OF_THIS_MESSAGE.includes(failure.code)) {
      await this.notices.tell({
        to: 'administrators',
        kind: 'system',
        level: 'danger',
        key: `mail-broken:${failure.code}:${legacyDay(this.clock.now(), this.config.timezone)}`,
        title: { key: 'notify.mail_broken_title' },
        text: { key: 'notify.mail_broken_text', params: { reason } },
        link: '/admin/settings?tab=mail',
      });
    }
  }

  private async noticesOf(deliveries: readonly NoticeDelivery[]): Promise<Map<number, Notice>> {
    const rows = await this.database
      .repository(Notice)
      .createQueryBuilder()
      .whereInIds(deliveries.map(({ noticeId }) => noticeId))
      .getMany();
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async localeOf({ side, accountId }: NoticeDelivery): Promise<Locale> {
    return (await this.preferences.of(side, accountId)).locale ?? localeOf(this.settings.current.locale);
  }
}

const ids = (deliveries: readonly NoticeDelivery[]): number[] => deliveries.map(({ id }) => id);

import { Injectable } from '@nestjs/common';

import { localeOf, type Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundTask, Job, type TaskTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { Notice, NoticeDelivery } from '../entities/index.js';
import { DELIVER_TASK, DIGEST_TASK, Deliveries, type DigestTarget } from '../outbox/index.js';
import { Preferences } from '../receivers/index.js';

import { DeliveryFailures } from './delivery-failures.js';
import { NoticeChannelMessages } from './notice-channel-messages.js';
import { NoticeMails } from './notice-mails.js';

/** With a delay that doubles from a minute to an hour, the last attempt comes more than a day after the first. */
const ATTEMPTS = 32;
/** Maximum messages in one digest. */
const MAX_IN_DIGEST = 100;

/** Sends planned deliveries. */
@Injectable()
export class DeliveryWorker {
  constructor(
    private readonly database: Database,
    private readonly deliveries: Deliveries,
    private readonly mails: NoticeMails,
    private readonly channels: NoticeChannelMessages,
    private readonly failures: DeliveryFailures,
    private readonly preferences: Preferences,
    private readonly settings: SiteSettings,
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
      const found = await this.database.repository(NoticeDelivery).find({ where, order: { id: 'ASC' }, take: MAX_IN_DIGEST });
      if (found.length === 0) return;
      await this.attempt(found, turn);
    }
  }

  /** Queues deliveries again whose task is gone. @returns how many */
  @Job({ name: 'notice-deliveries', everyMinutes: 10 })
  requeue(): Promise<number> {
    return this.deliveries.requeue(500);
  }

  private async attempt(deliveries: readonly NoticeDelivery[], turn: TaskTurn): Promise<void> {
    const notices = await this.noticesOf(deliveries);
    const there = deliveries.filter(({ noticeId }) => notices.has(noticeId));
    const gone = deliveries.filter(({ noticeId }) => !notices.has(noticeId));
    if (gone.length > 0) await this.deliveries.note(gone, 'dropped', null);
    if (there.length === 0) return;
    try {
      const bundle = there.map(({ noticeId }) => notices.get(noticeId)!);
      const [first] = there as [NoticeDelivery];
      const locale = await this.localeOf(first);
      if (first.channelId === null) await this.mails.send(first, bundle, locale);
      else await this.channels.send(first, bundle, locale, turn.signal);
      await this.deliveries.note(there, 'sent', null);
    } catch (error) {
      await this.failures.record(there, turn.attempt >= ATTEMPTS, error);
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

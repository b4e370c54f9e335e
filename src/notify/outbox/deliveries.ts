import { Injectable } from '@nestjs/common';

import { Clock, type TextRef } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import { Channels, type ChannelOwner } from '../channels/index.js';
import { MailBounce, NoticeDelivery, type DeliveryState } from '../entities/index.js';
import { Mailer } from '../mail/index.js';
import type { NoticeSide, WrittenNotice } from '../notice.js';
import { Preferences, isWanted, type Receiver } from '../receivers/index.js';

/** Task that sends one. */
export const DELIVER_TASK = 'notice.deliver';
/** Task that sends what has gathered for somebody. */
export const DIGEST_TASK = 'notice.digest';

/** More than so many to one person on one way in so many milliseconds become one message, sent when that time is over. */
export const FLOOD = { most: 5, withinMs: 10 * 60_000 } as const;

/** Whose messages gather, and where they go. */
export interface DigestTarget {
  readonly side: NoticeSide;
  readonly accountId: number;
  readonly route: string;
  readonly target: string;
}

/** What a message is planned for. */
interface Plan extends DigestTarget {
  readonly noticeId: number;
  readonly channelId: number | null;
  readonly username: string;
  readonly title: string;
}

/** Notices on their way out: planned with the notice, sent in the background. */
@Injectable()
export class Deliveries {
  private readonly recent;

  constructor(
    private readonly database: Database,
    private readonly queue: BackgroundQueue,
    private readonly preferences: Preferences,
    private readonly mailer: Mailer,
    private readonly channels: Channels,
    private readonly clock: Clock,
  ) {
    this.recent = database.statement<{ n: number }>(
      `SELECT COUNT(*) AS n FROM {NoticeDelivery} WHERE {NoticeDelivery.side} = ? AND {NoticeDelivery.accountId} = ?
       AND {NoticeDelivery.route} = ? AND {NoticeDelivery.createdAt} > ?`,
    );
  }

  /**
   * Plans what a new notice is sent as, in the transaction of the notice: mails are for what is not merely
   * informing, channels take everything.
   */
  async plan(noticeId: number, notice: WrittenNotice, title: string, { side, id, username, email }: Receiver): Promise<void> {
    const { kind, level, mail = true } = notice;
    const wishes = await this.preferences.of(side, id);
    const target = wishes.email ?? email;
    const plan = { noticeId, side, accountId: id, username, title, channelId: null };
    if (mail && level !== 'info' && this.mailer.isSetUp && target && isWanted(wishes, kind, 'mail'))
      await this.add({ ...plan, route: 'mail', target }, wishes.digest);
    if (side === 'user' && isWanted(wishes, kind, 'channel')) await this.planChannels({ ...plan, side }, notice, wishes.digest);
  }

  /** Plans what the channels of administrators get of a notice, once, however many of them are told. */
  async planShared(noticeId: number, notice: WrittenNotice, title: string): Promise<void> {
    await this.planChannels({ noticeId, side: 'admin', accountId: 0, username: '', title, channelId: null }, notice, true);
  }

  /** Sends one again that has ended. @returns false where there is no such one */
  async again(id: number): Promise<boolean> {
    return this.database.transaction(async () => {
      const rows = this.database.repository(NoticeDelivery);
      const row = await rows.findOneBy({ id });
      const ended = row && (row.state === 'failed' || row.state === 'sent');
      if (!ended) return false;
      const { affected } = await rows.update(
        { id, state: row.state },
        { state: 'waiting', attempts: 0, error: null, digest: false, endedAt: null },
      );
      if (affected !== 1) return false;
      if (row.channelId === null) await this.database.repository(MailBounce).delete({ address: row.target.toLowerCase() });
      await this.enqueue(id);
      return true;
    });
  }

  /** Writes how an attempt ended. @param error why it did not work, null where it did */
  async note(ids: readonly number[], state: DeliveryState, error: TextRef | null): Promise<void> {
    const endedAt = state === 'waiting' ? null : this.clock.now();
    const update = this.database.repository(NoticeDelivery).createQueryBuilder().update();
    await update
      .set({ state, error, endedAt, attempts: () => 'attempts + 1' })
      .whereInIds([...ids])
      .andWhere({ state: 'waiting' })
      .execute();
  }

  /** Puts back into the queue what waits without being there: a task may be gone where its row is not. @returns how many were looked at */
  async requeue(limit: number): Promise<number> {
    const before = new Date(this.clock.now().getTime() - 2 * FLOOD.withinMs);
    const rows = await this.database
      .repository(NoticeDelivery)
      .createQueryBuilder('delivery')
      .where({ state: 'waiting' })
      .andWhere('delivery.createdAt < :before', { before })
      .orderBy('delivery.id')
      .take(limit)
      .getMany();
    for (const row of rows) await (row.digest ? this.enqueueDigest(row, this.clock.now()) : this.enqueue(row.id));
    return rows.length;
  }

  private async planChannels(
    plan: Omit<Plan, 'route' | 'target' | 'side'> & ChannelOwner,
    { kind }: WrittenNotice,
    digest: boolean,
  ): Promise<void> {
    for (const { id, name, kinds, enabled } of await this.channels.list(plan))
      if (enabled && kinds.includes(kind)) await this.add({ ...plan, channelId: id, route: `channel:${id}`, target: name }, digest);
  }

  private async add(plan: Plan, digest: boolean): Promise<void> {
    const now = this.clock.now();
    const since = new Date(now.getTime() - FLOOD.withinMs);
    const isFlood = digest && (await this.recent.get(plan.side, plan.accountId, plan.route, since))!.n >= FLOOD.most;
    const { identifiers } = await this.database
      .repository(NoticeDelivery)
      .insert({ ...plan, state: 'waiting', error: null, digest: isFlood, createdAt: now });
    if (isFlood) await this.enqueueDigest(plan, new Date(now.getTime() + FLOOD.withinMs));
    else await this.enqueue(Number(identifiers[0]!.id));
  }

  private async enqueue(id: number): Promise<void> {
    await this.queue.add(DELIVER_TASK, { id }, { key: String(id) });
  }

  private async enqueueDigest({ side, accountId, route, target }: DigestTarget, runAt: Date): Promise<void> {
    await this.queue.add(DIGEST_TASK, { side, accountId, route, target } satisfies DigestTarget, {
      key: `${side}:${accountId}:${route}`,
      runAt,
    });
  }
}

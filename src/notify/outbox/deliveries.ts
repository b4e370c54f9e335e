import { Injectable } from '@nestjs/common';

import { Clock, type TextRef } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { BackgroundQueue } from '../../jobs/index.js';
import { Channels, type ChannelOwner } from '../channels/index.js';
import { MailBounce, NoticeDelivery, type NoticeDeliveryState } from '../entities/index.js';
import { Mailer } from '../mail/index.js';
import type { NoticeSide, WrittenNotice } from '../notice.js';
import { Preferences, isWanted, type Receiver } from '../receivers/index.js';

/** Background task that sends one message. */
export const DELIVER_TASK = 'notice.deliver';
/** Background task that sends a digest. */
export const DIGEST_TASK = 'notice.digest';

/**
 * More messages than this to one recipient by one route within the time, in milliseconds, are combined into a digest that is sent when the
 * time is over.
 */
export const FLOOD = { most: 5, withinMs: 10 * 60_000 } as const;

/** Recipient and route of a digest. */
export interface DigestTarget {
  readonly side: NoticeSide;
  readonly accountId: number;
  readonly route: string;
  readonly target: string;
}

/** A planned message. */
interface Plan extends DigestTarget {
  readonly noticeId: number;
  readonly channelId: number | null;
  readonly username: string;
  readonly title: string;
}

/** Outbox of notices: messages are planned together with the notice and sent in the background. */
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

  /** Plans the messages of a new notice inside its transaction: mail except for level `info`, and all channels. */
  async plan(noticeId: number, notice: WrittenNotice, title: string, { side, id, username, email }: Receiver): Promise<void> {
    const { kind, level, mail = true } = notice;
    const preferences = await this.preferences.of(side, id);
    const target = preferences.email ?? email;
    const plan = { noticeId, side, accountId: id, username, title, channelId: null };
    if (mail && level !== 'info' && this.mailer.isSetUp && target && isWanted(preferences, kind, 'mail'))
      await this.add({ ...plan, route: 'mail', target }, preferences.digest);
    if (side === 'user' && isWanted(preferences, kind, 'channel')) await this.planChannels({ ...plan, side }, notice, preferences.digest);
  }

  /** Plans the messages to the administrators' shared channels, once per notice. */
  async planShared(noticeId: number, notice: WrittenNotice, title: string): Promise<void> {
    await this.planChannels({ noticeId, side: 'admin', accountId: 0, username: '', title, channelId: null }, notice, true);
  }

  /** Resends a finished message. @returns false if there is none */
  async resend(id: number): Promise<boolean> {
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

  /** Stores the result of an attempt. @param error reason of a failure, null for success */
  async note(deliveries: readonly Pick<NoticeDelivery, 'id'>[], state: NoticeDeliveryState, error: TextRef | null): Promise<void> {
    const endedAt = state === 'waiting' ? null : this.clock.now();
    const update = this.database.repository(NoticeDelivery).createQueryBuilder().update();
    await update
      .set({ state, error, endedAt, attempts: () => 'attempts + 1' })
      .whereInIds(deliveries.map(({ id }) => id))
      .andWhere({ state: 'waiting' })
      .execute();
  }

  /** Requeues waiting messages whose task may have been lost. @returns number of checked messages */
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

import { Injectable } from '@nestjs/common';

import { timeInSentence, translate, type Locale } from '../../common/index.js';
import { BaseUrl, ZonedClock } from '../../config/index.js';
import { SiteSettings } from '../../site/index.js';
import { ChannelError, Channels } from '../channels/index.js';
import type { Notice, NoticeDelivery } from '../entities/index.js';

/** Sends notices through channels. */
@Injectable()
export class NoticeChannelMessages {
  constructor(
    private readonly channels: Channels,
    private readonly settings: SiteSettings,
    private readonly baseUrl: BaseUrl,
    private readonly clock: ZonedClock,
  ) {}

  /** Sends one notice or a digest, oldest first. @param signal aborts the attempt @throws ChannelError */
  async send(
    { id, channelId, side, accountId }: NoticeDelivery,
    notices: readonly Notice[],
    locale: Locale,
    signal: AbortSignal,
  ): Promise<void> {
    const channel = channelId === null || side === 'customer' ? null : await this.channels.find({ side, accountId }, channelId);
    if (!channel?.enabled) throw new ChannelError('MISSING');
    const [first] = notices as readonly [Notice, ...Notice[]];
    const isOne = notices.length === 1;
    const message = {
      id: String(id),
      kind: first.kind,
      level: first.level,
      title: isOne ? first.title : translate(locale, 'notify.digest_subject', { n: notices.length }),
      text: isOne ? first.content : notices.map((notice) => this.lineOf(notice)).join('\n'),
      link: isOne && first.link ? `${this.baseUrl.current()}${first.link}` : '',
      site: this.settings.current.name,
      at: isOne ? first.createdAt : this.clock.now(),
    };
    await this.channels.send(channel, message, { locale, signal });
  }

  private lineOf({ title, content, createdAt }: Notice): string {
    return `${timeInSentence(createdAt, this.clock.timezone)} ${title}: ${content}`;
  }
}

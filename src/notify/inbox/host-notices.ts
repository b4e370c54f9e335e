import { Injectable } from '@nestjs/common';

import type { Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Notice } from '../entities/index.js';
import type { NoticeLevel, NoticeSide } from '../notice.js';
import { NoticeTexts } from '../templates/index.js';

import { Inbox } from './inbox.js';

/** Maximum number of hosts per query, which is the maximum per customer. */
const MAX_HOSTS = 1_000;

/** A notice of a customer or of one of their hosts, in the reader's language. */
export interface HostNotice {
  readonly id: number;
  /** Null for the customer's own notice. */
  readonly hostId: number | null;
  /** Name of the host at that time; empty for the customer's own notice. */
  readonly host: string;
  /** Link to details of the customer's own notice; empty for a host's notice. */
  readonly link: string;
  readonly level: NoticeLevel;
  readonly title: string;
  readonly text: string;
  readonly unread: boolean;
  readonly createdAt: Date;
}

/** A customer and their hosts. */
export interface NoticeReader {
  readonly customerId: number;
  readonly hostIds: readonly number[];
}

/** Notices of a customer and all their hosts together. */
@Injectable()
export class HostNotices {
  constructor(
    private readonly database: Database,
    private readonly inbox: Inbox,
    private readonly texts: NoticeTexts,
  ) {}

  /** Returns a page of notices, newest first. */
  async of(reader: NoticeReader, { offset, limit, locale }: { offset: number; limit: number; locale: Locale }): Promise<HostNotice[]> {
    const rows = await this.ofReader(reader).orderBy('n.id', 'DESC').skip(offset).take(limit).getMany();
    return rows.map((row) => {
      const { title, content } = this.texts.of(row, locale);
      const { id, side, accountId, username, link, level, isRead, createdAt } = row;
      const of = side === 'customer' ? { hostId: null, host: '', link } : { hostId: accountId, host: username, link: '' };
      return { id, ...of, level, title, text: content, unread: !isRead, createdAt };
    });
  }

  /** Returns the number of unread notices. */
  unread(reader: NoticeReader): Promise<number> {
    return this.ofReader(reader).andWhere('n.isRead = :read', { read: false }).getCount();
  }

  /** Marks all as read, also in the hosts' own inboxes. */
  async markRead(reader: NoticeReader): Promise<void> {
    const rows = await this.ofReader(reader)
      .andWhere('n.isRead = :read', { read: false })
      .select('n.side', 'side')
      .addSelect('n.accountId', 'accountId')
      .distinct(true)
      .getRawMany<{ side: NoticeSide; accountId: number }>();
    for (const { side, accountId } of rows) await this.inbox.markRead({ side, accountId: Number(accountId) });
  }

  private ofReader({ customerId, hostIds }: NoticeReader) {
    // Id 0 does not exist; an empty list would be invalid SQL.
    const ids = hostIds.length === 0 ? [0] : hostIds.slice(0, MAX_HOSTS);
    return this.database
      .repository(Notice)
      .createQueryBuilder('n')
      .where("((n.side = 'user' AND n.accountId IN (:...ids)) OR (n.side = 'customer' AND n.accountId = :customerId))", {
        ids,
        customerId,
      });
  }
}

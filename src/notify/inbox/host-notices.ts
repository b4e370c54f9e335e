import { Injectable } from '@nestjs/common';

import type { Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Notice } from '../entities/index.js';
import type { NoticeLevel, NoticeSide } from '../notice.js';
import { NoticeTexts } from '../templates/index.js';

import { Inbox } from './inbox.js';

/** Hosts in one statement; a customer has at most as many. */
const MOST_HOSTS = 1_000;

/** A notice of a customer, or of one of his hosts, in the language of who reads it. */
export interface HostNotice {
  readonly id: number;
  /** Null: it is the customer's own. */
  readonly hostId: number | null;
  /** Name of the host when it was told; empty where it is the customer's own. */
  readonly host: string;
  /** Where more is to be seen of the customer's own; empty of a host's, which are read there. */
  readonly link: string;
  readonly level: NoticeLevel;
  readonly title: string;
  readonly text: string;
  readonly unread: boolean;
  readonly createdAt: Date;
}

/** Whose notices are looked at: a customer's, and those of the hosts that are his. */
export interface NoticeReader {
  readonly customerId: number;
  readonly hostIds: readonly number[];
}

/** Notices of a customer and of all his hosts in one place. */
@Injectable()
export class HostNotices {
  constructor(
    private readonly database: Database,
    private readonly inbox: Inbox,
    private readonly texts: NoticeTexts,
  ) {}

  /** The newest first. */
  async of(reader: NoticeReader, { offset, limit, locale }: { offset: number; limit: number; locale: Locale }): Promise<HostNotice[]> {
    const rows = await this.ofReader(reader).orderBy('n.id', 'DESC').skip(offset).take(limit).getMany();
    return rows.map((row) => {
      const { title, content } = this.texts.of(row, locale);
      const { id, side, accountId, username, link, level, isRead, createdAt } = row;
      const of = side === 'customer' ? { hostId: null, host: '', link } : { hostId: accountId, host: username, link: '' };
      return { id, ...of, level, title, text: content, unread: !isRead, createdAt };
    });
  }

  /** How many were not read. */
  unread(reader: NoticeReader): Promise<number> {
    return this.ofReader(reader).andWhere('n.isRead = :read', { read: false }).getCount();
  }

  /** Marks all as read, for who signs in to the hosts too. */
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
    // No host has the id 0: a list that is empty is no SQL.
    const ids = hostIds.length === 0 ? [0] : hostIds.slice(0, MOST_HOSTS);
    return this.database
      .repository(Notice)
      .createQueryBuilder('n')
      .where("((n.side = 'user' AND n.accountId IN (:...ids)) OR (n.side = 'customer' AND n.accountId = :customerId))", {
        ids,
        customerId,
      });
  }
}

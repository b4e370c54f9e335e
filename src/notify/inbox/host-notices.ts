import { Injectable } from '@nestjs/common';

import type { Locale } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Notice } from '../entities/index.js';
import type { NoticeLevel } from '../notice.js';
import { NoticeTexts } from '../templates/index.js';

import { Inbox } from './inbox.js';

/** Hosts in one statement; a customer has at most as many. */
const MOST_HOSTS = 1_000;

/** A notice of one of several hosts, in the language of who reads it. */
export interface HostNotice {
  readonly id: number;
  readonly hostId: number;
  /** Name of the host when it was told. */
  readonly host: string;
  readonly level: NoticeLevel;
  readonly title: string;
  readonly text: string;
  readonly unread: boolean;
  readonly createdAt: Date;
}

/** Notices of all hosts of one customer in one place. */
@Injectable()
export class HostNotices {
  constructor(
    private readonly database: Database,
    private readonly inbox: Inbox,
    private readonly texts: NoticeTexts,
  ) {}

  /** The newest first. */
  async of(
    hostIds: readonly number[],
    { offset, limit, locale }: { offset: number; limit: number; locale: Locale },
  ): Promise<HostNotice[]> {
    if (hostIds.length === 0) return [];
    const rows = await this.ofHosts(hostIds).orderBy('n.id', 'DESC').skip(offset).take(limit).getMany();
    return rows.map((row) => {
      const { title, content } = this.texts.of(row, locale);
      const { id, accountId, username, level, isRead, createdAt } = row;
      return { id, hostId: accountId, host: username, level, title, text: content, unread: !isRead, createdAt };
    });
  }

  /** How many were not read. */
  async unread(hostIds: readonly number[]): Promise<number> {
    return hostIds.length === 0 ? 0 : this.ofHosts(hostIds).andWhere('n.isRead = :read', { read: false }).getCount();
  }

  /** Marks all as read, for who signs in to the hosts too. */
  async markRead(hostIds: readonly number[]): Promise<void> {
    if (hostIds.length === 0) return;
    const rows = await this.ofHosts(hostIds)
      .andWhere('n.isRead = :read', { read: false })
      .select('n.accountId', 'accountId')
      .distinct(true)
      .getRawMany<{ accountId: number }>();
    for (const { accountId } of rows) await this.inbox.markRead({ side: 'user', accountId: Number(accountId) });
  }

  private ofHosts(hostIds: readonly number[]) {
    return this.database
      .repository(Notice)
      .createQueryBuilder('n')
      .where("n.side = 'user' AND n.accountId IN (:...ids)", { ids: hostIds.slice(0, MOST_HOSTS) });
  }
}

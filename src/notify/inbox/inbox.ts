import { Injectable } from '@nestjs/common';

import { Database, EntityPages, type EntityRows, likeAnywhere, type SqlValue } from '../../database/index.js';
import type { Scope } from '../../sdk/index.js';
import { Notice } from '../entities/index.js';
import type { NoticeKind, NoticeLevel, NoticeSide } from '../notice.js';

/** Owner of an inbox. */
export interface InboxOwner {
  readonly side: NoticeSide;
  readonly accountId: number;
}

/** Filter of a list of notices. */
export interface NoticeFilter {
  readonly kind?: NoticeKind;
  readonly level?: NoticeLevel;
  readonly isRead?: boolean;
  /** Searched in title and text as stored. */
  readonly text?: string;
  /** Part of the recipient's name. */
  readonly username?: string;
}

/** Owner and page of a list. */
export interface NoticePage {
  readonly owner: InboxOwner | null;
  readonly side?: Scope;
  readonly offset: number;
  readonly limit: number;
}

/** Maximum that unread notices are counted to. */
export const MAX_COUNTED = 100;

/** Inboxes of the recipients. */
@Injectable()
export class Inbox {
  private readonly rows: EntityRows<Notice>;
  private readonly list: EntityPages<Notice>;
  private readonly count;
  private readonly latest;
  private readonly behind;
  private readonly watchers: ((owner: InboxOwner) => void)[] = [];

  constructor(private readonly database: Database) {
    this.rows = database.entityRows(Notice);
    this.list = new EntityPages(database, Notice);
    this.count = database.statement<{ n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT 1 FROM {Notice} WHERE {Notice.side} = ? AND {Notice.accountId} = ? AND {Notice.isRead} = 0
       LIMIT ${MAX_COUNTED}) AS unread`,
    );
    const own = '{Notice.side} = ? AND {Notice.accountId} = ?';
    this.latest = database.statement<{ id: number | null }>(`SELECT MAX({Notice.id}) AS id FROM {Notice} WHERE ${own}`);
    this.behind = database.statement(
      `SELECT ${this.rows.columns} FROM {Notice} WHERE ${own} AND {Notice.id} > ? ORDER BY {Notice.id} DESC LIMIT ?`,
    );
  }

  /** Returns a page of an owner's notices, or of all on a side. */
  page(filter: NoticeFilter, { owner, side, offset, limit }: NoticePage): Promise<{ total: number; rows: Notice[] }> {
    const { conditions, params } = conditionsOf(filter, owner, side);
    return this.list.page({ conditions, params, sort: null, direction: 'desc', offset, limit });
  }

  /** Returns the number of unread notices, at most {@link MAX_COUNTED}. */
  async unread({ side, accountId }: InboxOwner): Promise<number> {
    return (await this.count.get(side, accountId))!.n;
  }

  /** Returns the id of the owner's newest notice; 0 for none. */
  async newest({ side, accountId }: InboxOwner): Promise<number> {
    return Number((await this.latest.get(side, accountId))?.id ?? 0);
  }

  /** Returns the owner's notices with greater ids, newest first, at most `limit`. */
  async since({ side, accountId }: InboxOwner, id: number, limit: number): Promise<Notice[]> {
    return (await this.behind.all(side, accountId, id, limit)).map((row) => this.rows.read(row));
  }

  /** Calls `changed` when an owner reads or deletes notices in this process. */
  watch(changed: (owner: InboxOwner) => void): void {
    this.watchers.push(changed);
  }

  /** Marks the owner's notices as read, all if no ids are given. @returns number of matching notices */
  async markRead({ side, accountId }: InboxOwner, ids?: readonly number[]): Promise<number> {
    const notices = this.database.repository(Notice).createQueryBuilder().update().set({ isRead: true });
    const of = notices.where({ side, accountId });
    const { affected } = await (ids ? of.andWhereInIds([...ids]) : of.andWhere({ isRead: false })).execute();
    this.notifyWatchers({ side, accountId });
    if (!ids) return affected ?? 0;
    return this.database
      .repository(Notice)
      .createQueryBuilder()
      .where({ side, accountId })
      .andWhereInIds([...ids])
      .getCount();
  }

  /** Deletes notices; limited to an owner if given. @returns how many */
  async remove(ids: readonly number[], owner?: InboxOwner): Promise<number> {
    const rows = this.database
      .repository(Notice)
      .createQueryBuilder()
      .delete()
      .whereInIds([...ids]);
    const { affected } = await (owner ? rows.andWhere({ ...owner }) : rows).execute();
    if (owner) this.notifyWatchers(owner);
    return affected ?? 0;
  }

  private notifyWatchers(owner: InboxOwner): void {
    for (const changed of this.watchers) changed(owner);
  }
}

function conditionsOf(filter: NoticeFilter, owner: InboxOwner | null, side?: Scope): { conditions: string[]; params: SqlValue[] } {
  const all: (readonly [string, ...SqlValue[]] | false)[] = [
    owner !== null && ['{Notice.side} = ?', owner.side],
    owner !== null && ['{Notice.accountId} = ?', owner.accountId],
    side !== undefined && ['{Notice.side} = ?', side],
    filter.kind !== undefined && ['{Notice.kind} = ?', filter.kind],
    filter.level !== undefined && ['{Notice.level} = ?', filter.level],
    filter.isRead !== undefined && ['{Notice.isRead} = ?', filter.isRead ? 1 : 0],
    !!filter.username && ["{Notice.username} LIKE ? ESCAPE '!'", likeAnywhere(filter.username)],
    !!filter.text && [
      "({Notice.title} LIKE ? ESCAPE '!' OR {Notice.content} LIKE ? ESCAPE '!')",
      likeAnywhere(filter.text),
      likeAnywhere(filter.text),
    ],
  ];
  const chosen = all.filter((condition) => condition !== false);
  return { conditions: chosen.map(([text]) => text), params: chosen.flatMap(([, ...params]) => params) };
}

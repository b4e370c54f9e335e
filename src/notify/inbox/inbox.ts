import { Injectable } from '@nestjs/common';

import { Database, EntityPages, type EntityRows, likeAnywhere, type SqlValue } from '../../database/index.js';
import type { Scope } from '../../sdk/index.js';
import { Notice } from '../entities/index.js';
import type { NoticeKind, NoticeLevel, NoticeSide } from '../notice.js';

/** Whose box. */
export interface InboxOwner {
  readonly side: NoticeSide;
  readonly accountId: number;
}

/** Which notices somebody wants to see, newest first. */
export interface NoticeFilter {
  readonly kind?: NoticeKind;
  readonly level?: NoticeLevel;
  readonly isRead?: boolean;
  /** Looked for in title and text, as they are kept. */
  readonly text?: string;
  /** Part of the receiver's name. */
  readonly username?: string;
}

/** Of whom, from where on, and how many. */
export interface NoticePage {
  readonly owner: InboxOwner | null;
  readonly side?: Scope;
  readonly offset: number;
  readonly limit: number;
}

/** How many unread ones are counted: beyond it there are simply many. */
export const MOST_COUNTED = 100;

/** Notices as their receivers have them. */
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
       LIMIT ${MOST_COUNTED}) AS unread`,
    );
    const own = '{Notice.side} = ? AND {Notice.accountId} = ?';
    this.latest = database.statement<{ id: number | null }>(`SELECT MAX({Notice.id}) AS id FROM {Notice} WHERE ${own}`);
    this.behind = database.statement(
      `SELECT ${this.rows.columns} FROM {Notice} WHERE ${own} AND {Notice.id} > ? ORDER BY {Notice.id} DESC LIMIT ?`,
    );
  }

  /** A page of somebody's notices, or of everybody's on a side. */
  page(filter: NoticeFilter, { owner, side, offset, limit }: NoticePage): Promise<{ total: number; rows: Notice[] }> {
    const { conditions, params } = conditionsOf(filter, owner, side);
    return this.list.page({ conditions, params, sort: null, direction: 'desc', offset, limit });
  }

  /** How many somebody has not read yet, at most {@link MOST_COUNTED}. */
  async unread({ side, accountId }: InboxOwner): Promise<number> {
    return (await this.count.get(side, accountId))!.n;
  }

  /** Id of somebody's newest; 0 where there is none. */
  async newest({ side, accountId }: InboxOwner): Promise<number> {
    return Number((await this.latest.get(side, accountId))?.id ?? 0);
  }

  /** Somebody's with greater ids than this one, the newest first, at most `limit`. */
  async since({ side, accountId }: InboxOwner, id: number, limit: number): Promise<Notice[]> {
    return (await this.behind.all(side, accountId, id, limit)).map((row) => this.rows.read(row));
  }

  /** Has `changed` called when somebody has read or deleted notices of his, in this process. */
  watch(changed: (owner: InboxOwner) => void): void {
    this.watchers.push(changed);
  }

  /** Marks one's own as read, all of them where no ids are given. @returns how many there are of these */
  async markRead({ side, accountId }: InboxOwner, ids?: readonly number[]): Promise<number> {
    const notices = this.database.repository(Notice).createQueryBuilder().update().set({ isRead: true });
    const of = notices.where({ side, accountId });
    const { affected } = await (ids ? of.andWhereInIds([...ids]) : of.andWhere({ isRead: false })).execute();
    this.tellWatchers({ side, accountId });
    if (!ids) return affected ?? 0;
    return this.database
      .repository(Notice)
      .createQueryBuilder()
      .where({ side, accountId })
      .andWhereInIds([...ids])
      .getCount();
  }

  /** Deletes notices; another person's are not touched where an owner is given. @returns how many */
  async remove(ids: readonly number[], owner?: InboxOwner): Promise<number> {
    const rows = this.database
      .repository(Notice)
      .createQueryBuilder()
      .delete()
      .whereInIds([...ids]);
    const { affected } = await (owner ? rows.andWhere({ ...owner }) : rows).execute();
    if (owner) this.tellWatchers(owner);
    return affected ?? 0;
  }

  private tellWatchers(owner: InboxOwner): void {
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

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Database, EntityPages, type SqlValue } from '../../database/index.js';
import { type ItemStatus, type ItemType, StoreItem, StoreVersion } from '../entities/index.js';
import type { PageSlice } from '../call/index.js';
import { editRequestRow, EditRequests, ownVersionRow, reviewedItemRow } from '../items/index.js';

import { keywordCondition, type SearchCondition } from './keyword-condition.js';
import { walkItems } from './keyword-walk.js';

/** Maximum versions in a response. */
const MAX_VERSIONS = 200;

/** Filter of an administrator's item list. */
export interface ItemFilter {
  readonly type?: ItemType;
  readonly status?: ItemStatus;
  readonly keyword?: string;
}

/** Condition: a version of the item is pending. */
const WAITS: SearchCondition = {
  sql: `{StoreItem.id} IN (SELECT {StoreVersion.itemId} FROM {StoreVersion} WHERE {StoreVersion.status} = 'pending')`,
  params: [],
};

/** Administrators' lists, with entries in any status. */
@Injectable()
export class AdminLists {
  private readonly list: EntityPages<StoreItem>;

  constructor(
    private readonly database: Database,
    private readonly edits: EditRequests,
  ) {
    this.list = new EntityPages(database, StoreItem);
  }

  /**
   * Returns items, newest first. `pending` lists all items with a pending version, including published ones, by the age of that version.
   */
  async items({ type, status, keyword }: ItemFilter, { page, pageSize, offset }: PageSlice) {
    const wanted: SearchCondition[] = [];
    if (type) wanted.push({ sql: '{StoreItem.type} = ?', params: [type] });
    if (status) wanted.push(status === 'pending' ? WAITS : { sql: '{StoreItem.status} = ?', params: [status] });
    const answer = async (total: number, items: StoreItem[]) => {
      const waiting = await this.waitingVersions(items.map(({ id }) => id));
      const rows = items.map((item) => reviewedItemRow(item, waiting.get(item.id) ?? null));
      return { items: status === 'pending' ? rows.map((row) => ({ ...row, status })) : rows, total, page, page_size: pageSize };
    };
    if (keyword) {
      const found = await walkItems(this.database, [...wanted, keywordCondition(keyword)]);
      return answer(found.length, await this.byIds(found.slice(offset, offset + pageSize)));
    }
    if (status === 'pending') {
      const { total, ids } = await this.waiting(type, offset, pageSize);
      return answer(total, await this.byIds(ids));
    }
    const conditions = wanted.map(({ sql }) => sql);
    const params = wanted.flatMap((condition) => [...condition.params]);
    const { total, rows } = await this.list.page({ conditions, params, sort: null, direction: 'desc', offset, limit: pageSize });
    return answer(total, rows);
  }

  /** An item is pending while one of its versions is, so this lists pending versions, newest first. */
  private async waiting(type: ItemType | undefined, offset: number, limit: number): Promise<{ total: number; ids: number[] }> {
    const ofType =
      'CROSS JOIN {StoreItem} ON {StoreItem}.{StoreItem.id} = {StoreVersion}.{StoreVersion.itemId} AND {StoreItem}.{StoreItem.type} = ?';
    const from = `FROM {StoreVersion} ${type ? ofType : ''}
      WHERE {StoreVersion}.{StoreVersion.status} = 'pending'`;
    const params: SqlValue[] = type ? [type] : [];
    const [counted, rows] = await Promise.all([
      this.database.statement<{ total: number }>(`SELECT COUNT(*) AS total ${from}`).get(...params),
      this.database
        .statement<{ id: number }>(
          `SELECT {StoreVersion}.{StoreVersion.itemId} AS id ${from} ORDER BY {StoreVersion}.{StoreVersion.id} DESC LIMIT ? OFFSET ?`,
        )
        .all(...params, limit, offset),
    ]);
    return { total: Number(counted!.total), ids: rows.map(({ id }) => Number(id)) };
  }

  private async waitingVersions(itemIds: readonly number[]): Promise<Map<number, string>> {
    if (itemIds.length === 0) return new Map();
    const versions = await this.database
      .repository(StoreVersion)
      .find({ select: { itemId: true, version: true }, where: { itemId: In([...itemIds]), status: 'pending' }, order: { id: 'ASC' } });
    return new Map(versions.map(({ itemId, version }) => [itemId, version]));
  }

  /** Returns items in the order of `ids`. */
  private async byIds(ids: readonly number[]): Promise<StoreItem[]> {
    if (ids.length === 0) return [];
    const items = new Map((await this.database.repository(StoreItem).findBy({ id: In([...ids]) })).map((item) => [item.id, item]));
    return ids.flatMap((id) => items.get(id) ?? []);
  }

  /** Returns versions with their items, at most 200; pending ones oldest first, others newest first. */
  async versions(status: StoreVersion['status']) {
    const versions = await this.database
      .repository(StoreVersion)
      .find({ where: { status }, relations: { item: true }, order: { id: status === 'pending' ? 'ASC' : 'DESC' }, take: MAX_VERSIONS });
    return versions.map((version) => ({
      ...ownVersionRow(version, version.item!.type),
      ...namesOf(version.item!),
      item_status: version.item!.status,
    }));
  }

  /** Returns edit requests with their items, newest first, at most 200. */
  async editRequests(status: 'pending' | 'approved' | 'rejected' | 'superseded' | undefined) {
    return (await this.edits.list(status)).map((request) => ({ ...editRequestRow(request), ...namesOf(request.item!) }));
  }
}

function namesOf({ name, slug, type }: StoreItem) {
  return { item_name: name, slug, type };
}

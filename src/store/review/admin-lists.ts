import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Database, EntityRows, RowList } from '../../database/index.js';
import { StoreItem, StoreVersion, type ItemStatus, type ItemType } from '../entities/index.js';
import { keywordCondition, type SearchCondition } from '../finding/keyword-search.js';
import { walkItems } from '../finding/keyword-walk.js';
import type { PageSlice } from '../http/index.js';
import { EditRequests } from '../items/edit-requests.js';
import { editRequestRow, ownItemRow, ownVersionRow } from '../items/item-rows.js';

/** Most versions of one answer. */
const MAX_VERSIONS = 200;

/** Which items an administrator wants to see. */
export interface ItemFilter {
  readonly type?: ItemType;
  readonly status?: ItemStatus;
  readonly keyword?: string;
}

/** What administrators see: everything, whatever its state. */
@Injectable()
export class AdminLists {
  private readonly rows: EntityRows<StoreItem>;
  private readonly list: RowList<Record<string, unknown>>;

  constructor(
    private readonly database: Database,
    private readonly edits: EditRequests,
  ) {
    this.rows = database.entityRows(StoreItem);
    this.list = new RowList(database, 'StoreItem', this.rows.columns);
  }

  /** Items, newest first. */
  async items({ type, status, keyword }: ItemFilter, { page, pageSize, offset }: PageSlice) {
    const wanted: SearchCondition[] = [];
    if (type) wanted.push({ sql: '{StoreItem.type} = ?', params: [type] });
    if (status) wanted.push({ sql: '{StoreItem.status} = ?', params: [status] });
    if (keyword) {
      const found = await walkItems(this.database, [...wanted, keywordCondition(keyword)]);
      return { items: await this.byIds(found.slice(offset, offset + pageSize)), total: found.length, page, page_size: pageSize };
    }
    const conditions = wanted.map(({ sql }) => sql);
    const params = wanted.flatMap((condition) => [...condition.params]);
    const { total, rows } = await this.list.page({ conditions, params, sort: null, direction: 'desc', offset, limit: pageSize });
    return { items: rows.map((row) => ownItemRow(this.rows.read(row))), total, page, page_size: pageSize };
  }

  private async byIds(ids: readonly number[]) {
    if (ids.length === 0) return [];
    const items = await this.database.repository(StoreItem).find({ where: { id: In([...ids]) }, order: { id: 'DESC' } });
    return items.map(ownItemRow);
  }

  /** Versions with their items, those that waited longest first, at most 200. */
  async versions(status: StoreVersion['status']) {
    const versions = await this.database.repository(StoreVersion).find({ where: { status }, relations: { item: true }, order: { id: status === 'pending' ? 'ASC' : 'DESC' }, take: MAX_VERSIONS });
    return versions.map((version) => ({ ...ownVersionRow(version), ...namesOf(version.item!), item_status: version.item!.status }));
  }

  /** Edit requests with their items, newest first, at most 200. */
  async editRequests(status: 'pending' | 'approved' | 'rejected' | 'superseded' | undefined) {
    return (await this.edits.list(status)).map((request) => ({ ...editRequestRow(request), ...namesOf(request.item!) }));
  }
}

function namesOf({ name, slug, type }: StoreItem) {
  return { item_name: name, slug, type };
}

import { Injectable } from '@nestjs/common';

import { toYuan } from '../../common/index.js';
import { Database, EntityRows, RowList, type SqlValue } from '../../database/index.js';
import { StoreItem, StoreVersion, type ItemType } from '../entities/index.js';
import { StoreError } from '../errors.js';
import type { PageSlice, StoreCaller } from '../http/index.js';
import { itemRow, ownItemRow, ownVersionRow, versionRow } from '../items/item-rows.js';

import { KeywordSearch } from './keyword-search.js';

/** Categories front ends suggest, whether or not anything is in them. */
const SUGGESTED = ['支付', '通知', '管理', '界面', '安全', 'SEO', '备份', '监控', '其他'];
/** Most categories of an answer besides those suggested. */
const MAX_CATEGORIES = 200;

/** Orders of the public list. */
export type ItemSort = 'newest' | 'downloads' | 'price';

const ORDERS: Record<ItemSort, { readonly sort: string; readonly direction: 'asc' | 'desc' }> = {
  newest: { sort: 'createdAt', direction: 'desc' },
  downloads: { sort: 'downloads', direction: 'desc' },
  price: { sort: 'price', direction: 'asc' },
};

/** Which items are wanted; prices in fen. */
export interface PublicFilter {
  readonly type?: ItemType;
  readonly keyword?: string;
  readonly category?: string;
  readonly authorId?: number;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly sort: ItemSort;
}

/** What the public sees: approved items and versions, as if there were no others. Authors and administrators see theirs as well. */
@Injectable()
export class PublicItems {
  private readonly rows: EntityRows<StoreItem>;
  private readonly list: RowList<Record<string, unknown>>;
  private readonly categories;

  constructor(
    private readonly database: Database,
    private readonly search: KeywordSearch,
  ) {
    this.rows = database.entityRows(StoreItem);
    this.list = new RowList(database, 'StoreItem', this.rows.columns);
    this.categories = database.statement<{ name: string; n: number }>(
      `SELECT {StoreItem.category} AS name, COUNT(*) AS n FROM {StoreItem}
       WHERE {StoreItem.status} = 'approved' AND {StoreItem.category} <> '' GROUP BY {StoreItem.category} ORDER BY n DESC, name LIMIT ${MAX_CATEGORIES}`,
    );
  }

  /** A page of approved items. */
  async page(filter: PublicFilter, { page, pageSize, offset }: PageSlice) {
    const conditions = ["{StoreItem.status} = 'approved'"];
    const params: SqlValue[] = [];
    const add = (sql: string, value: SqlValue | undefined): void => {
      if (value === undefined) return;
      conditions.push(sql);
      params.push(value);
    };
    add('{StoreItem.type} = ?', filter.type);
    add('{StoreItem.category} = ?', filter.category);
    add('{StoreItem.authorId} = ?', filter.authorId);
    // SQLite keeps amounts as numbers and would compare them with a text as texts.
    add('{StoreItem.price} >= CAST(? AS DECIMAL(12,2))', filter.minPrice === undefined ? undefined : toYuan(filter.minPrice));
    add('{StoreItem.price} <= CAST(? AS DECIMAL(12,2))', filter.maxPrice === undefined ? undefined : toYuan(filter.maxPrice));
    if (filter.keyword) {
      const found = this.search.condition(filter.keyword);
      conditions.push(found.sql);
      params.push(...found.params);
    }
    const { total, rows } = await this.list.page({ conditions, params, ...ORDERS[filter.sort], offset, limit: pageSize });
    return { items: rows.map((row) => itemRow(this.rows.read(row))), total, page, page_size: pageSize };
  }

  /** Names in use and suggested ones, or each with how many items it has. */
  async categoryList(withCounts: boolean): Promise<string[] | { name: string; count: number }[]> {
    const counts = new Map((await this.categories.all()).map(({ name, n }) => [name, Number(n)]));
    const names = [...SUGGESTED, ...[...counts.keys()].filter((name) => !SUGGESTED.includes(name))];
    return withCounts ? names.map((name) => ({ name, count: counts.get(name) ?? 0 })) : names;
  }

  /** An item somebody may see. @throws StoreError NOT_FOUND: whether it does not exist or is not public looks the same */
  async require(where: { id: number } | { type: ItemType; slugKey: string }, caller: StoreCaller | null, text = 'store.item_not_found'): Promise<StoreItem> {
    const item = await this.database.repository(StoreItem).findOneBy(where);
    if (!item || !maySee(item, caller)) throw new StoreError('NOT_FOUND', {}, text);
    return item;
  }

  /** An item as the caller may see it. */
  row(item: StoreItem, caller: StoreCaller | null) {
    return isInsider(item, caller) ? ownItemRow(item) : itemRow(item);
  }

  /** Versions, newest first: approved ones; of an item that is not public yet all, for those who may see it. */
  async versions(item: StoreItem) {
    const isPublic = item.status === 'approved';
    const versions = await this.database.repository(StoreVersion).find({ where: { itemId: item.id, ...(isPublic ? { status: 'approved' as const } : {}) }, order: { id: 'DESC' } });
    return versions.map(isPublic ? versionRow : ownVersionRow);
  }

  /** A version somebody may download. @throws StoreError NOT_FOUND */
  async requireVersion(item: StoreItem, version: string, caller: StoreCaller | null): Promise<StoreVersion> {
    const row = await this.database.repository(StoreVersion).findOneBy({ itemId: item.id, versionKey: version.toLowerCase() });
    if (!row || (row.status !== 'approved' && !isInsider(item, caller))) throw new StoreError('NOT_FOUND', {}, 'store.version_not_found');
    return row;
  }
}

function maySee(item: StoreItem, caller: StoreCaller | null): boolean {
  return item.status === 'approved' || isInsider(item, caller);
}

/** Whether somebody sees an item whatever its state: its author, administrators; of programs those that may read. */
function isInsider(item: StoreItem, caller: StoreCaller | null): boolean {
  if (!caller || (caller.scopes && !caller.scopes.includes('read'))) return false;
  return caller.id === item.authorId || (caller.role === 'admin' && caller.scopes === null);
}

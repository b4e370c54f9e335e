import { Injectable } from '@nestjs/common';

import { toYuan } from '../../common/index.js';
import { Database, Paginator, type EntityRows, type RowQuery, type SqlValue } from '../../database/index.js';
import { StoreItem } from '../entities/index.js';

import { foldText } from './fold-text.js';
import { FollowedIndex } from './followed-index.js';
import type { ItemQuery, ItemSort } from './item-query.js';
import { keywordCondition } from './keyword-search.js';

/** A page of items. */
export interface FoundItems {
  readonly items: StoreItem[];
  /** Items on all pages. */
  readonly total: number;
}

const ORDERS: Record<ItemSort, Pick<RowQuery, 'sort' | 'direction'>> = {
  newest: { sort: 'createdAt', direction: 'desc' },
  downloads: { sort: 'downloads', direction: 'desc' },
  price: { sort: 'price', direction: 'asc' },
  updated: { sort: 'updatedAt', direction: 'desc' },
  relevance: { sort: 'downloads', direction: 'desc' },
};

/** Finds published items by the index of this process; while there is none, in the rows. */
@Injectable()
export class ItemFinder {
  private lazy: { rows: EntityRows<StoreItem>; list: Paginator<Record<string, unknown>> } | null = null;

  constructor(
    private readonly database: Database,
    private readonly index: FollowedIndex,
  ) {}

  /** A page in an order that ties cannot change; the exact name or slug comes first, then what the order says. */
  async find(query: ItemQuery): Promise<FoundItems> {
    const keyword = foldText(query.keyword ?? '');
    const index = await this.index.current();
    if (!index) return keyword === '' ? this.list(query) : this.search(keyword, query);
    const { ids, total } = await index.find(keyword, query);
    return { items: await this.read(ids), total };
  }

  /** Without an index or a keyword: by the indexes of the rows, as far as they go. */
  private async list(query: ItemQuery): Promise<FoundItems> {
    const { rows, list } = this.reading();
    const found = await list.page({ ...conditionsOf(query), ...ORDERS[query.sort], offset: query.offset, limit: query.limit });
    return { items: found.rows.map((row) => rows.read(row)), total: found.total };
  }

  /** Without an index: every row is looked at, as it is written. */
  private async search(keyword: string, query: ItemQuery): Promise<FoundItems> {
    const { rows } = this.reading();
    const { conditions, params } = conditionsOf(query);
    const contains = keywordCondition(keyword);
    const where = `WHERE ${[...conditions, contains.sql].join(' AND ')}`;
    const values = [...params, ...contains.params];
    const { sort, direction } = ORDERS[query.sort];
    const sql = `SELECT ${rows.columns} FROM {StoreItem} ${where}
      ORDER BY CASE WHEN {StoreItem.slugKey} = ? OR LOWER({StoreItem.name}) = ? THEN 0 ELSE 1 END, {StoreItem.${sort!}} ${direction}, {StoreItem.id} ${direction} LIMIT ? OFFSET ?`;
    const [found, counted] = await Promise.all([
      this.database.query(this.database.resolve(sql), [...values, keyword, keyword, query.limit, query.offset]),
      this.database.first<{ total: number }>(this.database.resolve(`SELECT COUNT(*) AS total FROM {StoreItem} ${where}`), values),
    ]);
    return { items: found.map((row) => rows.read(row)), total: Number(counted!.total) };
  }

  /** Rows as they are now: what is no longer published is left out, whatever an index says. */
  private async read(ids: readonly number[]): Promise<StoreItem[]> {
    if (ids.length === 0) return [];
    const { rows } = this.reading();
    const sql = `SELECT ${rows.columns} FROM {StoreItem} WHERE {StoreItem.id} IN (${ids.map(() => '?').join(', ')})`;
    const found = (await this.database.query(this.database.resolve(sql), [...ids])).map((row) => rows.read(row));
    // Not a condition: the engine might walk the index of that instead.
    const byId = new Map(found.filter((item) => item.status === 'approved').map((item) => [item.id, item]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Once the database is connected: entities have no columns before. */
  private reading() {
    if (this.lazy) return this.lazy;
    const rows = this.database.entityRows(StoreItem);
    return (this.lazy = { rows, list: new Paginator<Record<string, unknown>>(this.database, 'StoreItem', rows.columns) });
  }
}

function conditionsOf({ type, category, authorId, minPrice, maxPrice }: ItemQuery): Pick<RowQuery, 'conditions' | 'params'> {
  const conditions = ["{StoreItem.status} = 'approved'"];
  const params: SqlValue[] = [];
  const add = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    params.push(value);
  };
  add('{StoreItem.type} = ?', type);
  add('{StoreItem.category} = ?', category);
  add('{StoreItem.authorId} = ?', authorId);
  add('{StoreItem.price} >= CAST(? AS DECIMAL(12, 2))', minPrice === undefined ? undefined : toYuan(minPrice));
  add('{StoreItem.price} <= CAST(? AS DECIMAL(12, 2))', maxPrice === undefined ? undefined : toYuan(maxPrice));
  return { conditions, params };
}

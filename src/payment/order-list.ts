import { Injectable } from '@nestjs/common';

import { Database, type SqlValue } from '../database/index.js';

import type { Order } from './entities/index.js';
import { PaymentError } from './errors.js';
import { ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-row.js';

/**
 * Columns a list can be sorted by: each has an index that ends in the id. Orders get their ids in the order of their
 * dates, so the date's order is the id's.
 */
const SORT_COLUMNS = new Map([
  ['id', ''],
  ['date', ''],
  ['ddh', '{Order.number}'],
  ['user', '{Order.user}'],
  ['scene', '{Order.scene}'],
  ['lx', '{Order.scene}'],
  ['qk', '{Order.status}'],
]);

/** Columns that can be searched, by their wire names and the older ones. */
const SEARCH_COLUMNS = new Map([
  ['ddh', '{Order.number}'],
  ['user', '{Order.user}'],
  ['name', '{Order.name}'],
  ['scene', '{Order.scene}'],
  ['lx', '{Order.scene}'],
  ['qk', '{Order.status}'],
  ['ff', '{Order.type}'],
  ['zffs', '{Order.type}'],
]);

const FREE_TEXT_COLUMNS = ['{Order.number}', '{Order.user}', '{Order.name}'];

/** Which orders, in which order. */
export interface OrderQuery {
  /** From 1. */
  readonly page: number;
  /** Rows of a page. */
  readonly limit: number;
  /** Wire name of a column; an unknown one counts as not given. */
  readonly sort?: string;
  readonly sortOrder: 'asc' | 'desc';
  /** JSON `{"name":column,"type":"1"|"2","value":text}`: 1 exact, 2 contains. Ignored while a part is empty. */
  readonly where?: string;
  /** Looked for in number, user and name. */
  readonly ss?: string;
  readonly qk?: string;
  readonly scene?: string;
  /** Only this user's orders. */
  readonly user?: string;
}

/** Lists orders for people. */
@Injectable()
export class OrderList {
  constructor(private readonly database: Database) {}

  /**
   * One page and how many there are in all.
   *
   * @throws PaymentError SEARCH_MODE_UNKNOWN, SEARCH_FIELD_UNKNOWN
   */
  async page(query: OrderQuery): Promise<{ total: number; orders: Order[] }> {
    const { condition, params } = conditionOf(query);
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    const column = SORT_COLUMNS.get(query.sort ?? 'id') ?? '';
    const order = `${column ? `${column} ${direction}, ` : ''}{Order.id} ${direction}`;
    const offset = (query.page - 1) * query.limit;
    const rows = this.database.statement<OrderRow>(offset === 0 ? firstPage(ORDER_COLUMNS, condition, order) : laterPage(ORDER_COLUMNS, condition, order));
    const count = this.database.statement<{ total: number }>(`SELECT COUNT(*) AS total FROM {Order} ${condition}`);
    const [counted, found] = await Promise.all([
      count.get(...params),
      rows.all(...params, query.limit, offset),
    ]);
    return { total: Number(counted!.total), orders: found.map(orderFromRow) };
  }
}

function firstPage(columns: string, condition: string, order: string): string {
  return `SELECT ${columns} FROM {Order} ${condition} ORDER BY ${order} LIMIT ? OFFSET ?`;
}

/**
 * The ids of what is passed over come from an index alone; only the page's own rows are read in full. CROSS JOIN, because
 * SQLite keeps its order: left to choose, it walks the whole table and looks every row up in the page.
 */
function laterPage(columns: string, condition: string, order: string): string {
  return `SELECT ${columns} FROM (
      SELECT {Order.id} AS page_id FROM {Order} ${condition} ORDER BY ${order} LIMIT ? OFFSET ?
    ) AS page CROSS JOIN {Order} ON {Order}.{Order.id} = page.page_id ORDER BY ${order}`;
}

function conditionOf(query: OrderQuery): { condition: string; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const add = (sql: string, ...values: SqlValue[]): void => {
    conditions.push(sql);
    params.push(...values);
  };
  if (query.user !== undefined) add('{Order.user} = ?', query.user);
  if (query.qk) add('{Order.status} = ?', query.qk);
  if (query.scene) add('{Order.scene} = ?', query.scene);
  const search = readSearch(query.where);
  if (search) add(search.exact ? `${search.column} = ?` : contains(search.column), search.value);
  if (query.ss) {
    add(`(${FREE_TEXT_COLUMNS.map(contains).join(' OR ')})`, ...FREE_TEXT_COLUMNS.map(() => query.ss!));
  }
  return { condition: conditions.length ? `WHERE ${conditions.join(' AND ')}` : '', params };
}

/** `LIKE` would read `%` and `_` in what people type, and minds case on one of the engines only. */
function contains(column: string): string {
  return `INSTR(LOWER(${column}), LOWER(?)) > 0`;
}

function readSearch(where: string | undefined): { column: string; exact: boolean; value: string } | null {
  if (!where) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(where);
  } catch {
    throw new PaymentError('SEARCH_MODE_UNKNOWN');
  }
  if (typeof parsed !== 'object' || parsed === null) throw new PaymentError('SEARCH_MODE_UNKNOWN');
  const part = (key: string): string => {
    const value = (parsed as Record<string, unknown>)[key];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const [name, type, value] = [part('name'), part('type'), part('value')];
  if (!name || !type || !value) return null;
  if (type !== '1' && type !== '2') throw new PaymentError('SEARCH_MODE_UNKNOWN');
  const column = SEARCH_COLUMNS.get(name);
  if (!column) throw new PaymentError('SEARCH_FIELD_UNKNOWN');
  return { column, exact: type === '1', value };
}

import { Injectable } from '@nestjs/common';

import { Database, Paginator, toSqlTime, type SqlValue } from '../../database/index.js';
import type { Order } from '../entities/index.js';
import { PaymentError } from '../errors.js';

import { ORDER_COLUMNS, orderFromRow, type OrderRow } from './order-row.js';

/**
 * Sortable columns: each has an index that ends in the id. Ids ascend with the creation date, so sorting by date
 * uses the id.
 */
const SORTS = new Map([
  ['id', null],
  ['date', null],
  ['ddh', 'number'],
  ['user', 'user'],
  ['scene', 'scene'],
  ['lx', 'scene'],
  ['qk', 'status'],
]);

/** Searchable columns, by their wire names and older aliases. */
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

/** Filter of orders. */
export interface OrderChoice {
  /** JSON `{"name":column,"type":"1"|"2","value":text}`: 1 exact, 2 contains. Ignored if a part is empty. */
  readonly where?: string;
  /** Searched in number, user and name. */
  readonly ss?: string;
  readonly qk?: string;
  readonly scene?: string;
  /** Only orders with a pending refund. */
  readonly tk?: 'pending' | '';
  /** Created at this time or later. */
  readonly since?: Date;
  /** Created before this time. */
  readonly until?: Date;
  /** Only this hosting account's orders. */
  readonly accountId?: number;
}

/** Filter, sorting and page. */
export interface OrderQuery extends OrderChoice {
  /** From 1. */
  readonly page: number;
  /** Rows per page. */
  readonly limit: number;
  /** Wire name of a column; an unknown one is ignored. */
  readonly sort?: string;
  readonly sortOrder: 'asc' | 'desc';
}

/** Lists orders for display. */
@Injectable()
export class OrderList {
  private readonly list: Paginator<OrderRow>;

  constructor(database: Database) {
    this.list = new Paginator(database, 'Order', ORDER_COLUMNS);
  }

  /**
   * Returns one page and the total number.
   *
   * @throws PaymentError SEARCH_MODE_UNKNOWN, SEARCH_FIELD_UNKNOWN
   */
  async page(query: OrderQuery): Promise<{ total: number; orders: Order[] }> {
    const { total, rows } = await this.list.page({
      ...orderConditions(query),
      sort: SORTS.get(query.sort ?? 'id') ?? null,
      direction: query.sortOrder,
      offset: (query.page - 1) * query.limit,
      limit: query.limit,
    });
    return { total, orders: rows.map(orderFromRow) };
  }
}

/**
 * Returns SQL conditions on the order table, joined by AND.
 *
 * @throws PaymentError SEARCH_MODE_UNKNOWN, SEARCH_FIELD_UNKNOWN
 */
export function orderConditions(query: OrderChoice): { conditions: string[]; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const add = (sql: string, ...values: SqlValue[]): void => {
    conditions.push(sql);
    params.push(...values);
  };
  if (query.accountId !== undefined) add("{Order.ownerKind} = 'account' AND {Order.ownerId} = ?", query.accountId);
  if (query.qk) add('{Order.status} = ?', query.qk);
  if (query.tk) add("{Order}.{Order.id} IN (SELECT {Refund.orderId} FROM {Refund} WHERE {Refund.state} = 'pending')");
  if (query.scene) add('{Order.scene} = ?', query.scene);
  if (query.since) add('{Order.createdAt} >= ?', toSqlTime(query.since));
  if (query.until) add('{Order.createdAt} < ?', toSqlTime(query.until));
  const search = readSearch(query.where);
  if (search) add(search.exact ? `${search.column} = ?` : contains(search.column), search.value);
  if (query.ss) {
    add(`(${FREE_TEXT_COLUMNS.map(contains).join(' OR ')})`, ...FREE_TEXT_COLUMNS.map(() => query.ss!));
  }
  return { conditions, params };
}

/** `LIKE` would interpret `%` and `_` in user input, and its case sensitivity differs between the engines. */
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

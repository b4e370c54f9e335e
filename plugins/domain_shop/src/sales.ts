import { Inject, Injectable } from '@nestjs/common';
import type { NameWish, PluginDatabase } from '@svc/sdk';

import { SHOP_DATABASE } from './shop-database.js';

/** `pending` until it is paid; `done`; `gone` where what was paid for could not be had any more, so that the money has to be given back. */
export type SaleState = 'pending' | 'done' | 'gone';

/** A row of what was ordered: a name, or a longer time for one. */
export interface Sale {
  readonly id: number;
  /** Of the panel's order; `free-…` where there is none, because it costs nothing. */
  readonly order_no: string;
  readonly kind: 'buy' | 'renew';
  readonly zone: number;
  readonly name: string;
  readonly prefix: string;
  readonly folder: string;
  /** Id of the name, once somebody has it. */
  readonly name_id: number | null;
  readonly host_id: number | null;
  readonly customer_id: number | null;
  /** Who ordered, for people. */
  readonly buyer: string;
  readonly months: number;
  /** Fen. */
  readonly amount: number;
  readonly view_key: string;
  readonly state: SaleState;
  /** Whether the host was told to show it: `no` not yet, `never` once that was given up. */
  readonly shown: 'no' | 'yes' | 'never';
  readonly tries: number;
  readonly remark: string;
  readonly ordered_at: string;
}

/** What a new row says. */
export type NewSale = Omit<Sale, 'id' | 'remark' | 'ordered_at' | 'tries'> & { readonly request_key: string | null };

const COLUMNS =
  'id, order_no, kind, zone, name, prefix, folder, name_id, host_id, customer_id, buyer, months, amount, ' +
  'view_key, state, shown, tries, remark, ordered_at';
/** Attempts to show a name that was sold, a minute apart. */
const MOST_TRIES = 60;

/** Rows of what was ordered here. */
@Injectable()
export class Sales {
  constructor(@Inject(SHOP_DATABASE) private readonly db: PluginDatabase) {}

  async find(orderNo: string): Promise<Sale | null> {
    return this.one('order_no = ?', orderNo);
  }

  /** By the key of its page, which only its buyer has. */
  async byKey(viewKey: string): Promise<Sale | null> {
    return this.one('view_key = ?', viewKey);
  }

  byRequest(key: string): Promise<Sale | null> {
    return this.one('request_key = ?', key);
  }

  /** The latest open one of a name. */
  async openOf(name: string): Promise<Sale | null> {
    const [row] = await this.db.query<Sale>(
      `SELECT ${COLUMNS} FROM {sale} WHERE name = ? AND kind = 'buy' AND state = 'pending' ORDER BY id DESC LIMIT 1`,
      [name],
    );
    return row ? plain(row) : null;
  }

  async add(sale: NewSale): Promise<void> {
    const { order_no, kind, zone, name, prefix, folder, name_id, host_id, customer_id, buyer, months, amount } = sale;
    await this.db.run(
      `INSERT INTO {sale} (order_no, kind, zone, name, prefix, folder, name_id, host_id, customer_id, buyer, months, amount, view_key,
        request_key, state, shown, ordered_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[order_no, kind, zone, name, prefix, folder, name_id, host_id, customer_id, buyer, months, amount],
        ...[sale.view_key, sale.request_key, sale.state, sale.shown, new Date().toISOString()],
      ],
    );
  }

  /** From pending to its end, by whoever is first. */
  async end(orderNo: string, state: 'done' | 'gone', nameId: number | null, remark = ''): Promise<boolean> {
    const { affected } = await this.db.run(
      "UPDATE {sale} SET state = ?, name_id = ?, remark = ? WHERE order_no = ? AND state = 'pending'",
      [state, nameId, remark.slice(0, 255), orderNo],
    );
    return affected === 1;
  }

  /** Its order was given up: the same request may order again. */
  async closed(orderNo: string): Promise<void> {
    await this.db.run("UPDATE {sale} SET request_key = NULL WHERE order_no = ? AND state = 'pending'", [orderNo]);
  }

  /** Which of these orders wait for their delivery. */
  async undelivered(orderNos: readonly string[]): Promise<string[]> {
    if (orderNos.length === 0) return [];
    const rows = await this.db.query<Pick<Sale, 'order_no'>>(
      `SELECT order_no FROM {sale} WHERE order_no IN (${orderNos.map(() => '?').join(', ')}) AND state = 'pending'`,
      [...orderNos],
    );
    return rows.map((row) => row.order_no);
  }

  /** Names that were sold and are not shown yet; the oldest first. */
  async unshown(): Promise<Sale[]> {
    const rows = await this.db.query<Sale>(`SELECT ${COLUMNS} FROM {sale} WHERE shown = 'no' AND state = 'done' ORDER BY id LIMIT 20`);
    return rows.map(plain);
  }

  /** What came of an attempt to show a name. @param isOver trying again is of no use */
  async tried({ id, tries }: Sale, problem: string | null, isOver: boolean): Promise<void> {
    const over = isOver || tries + 1 >= MOST_TRIES;
    const shown = problem === null ? 'yes' : over ? 'never' : 'no';
    await this.db.run('UPDATE {sale} SET shown = ?, tries = tries + 1, remark = ? WHERE id = ?', [
      shown,
      (problem ?? '').slice(0, 255),
      id,
    ]);
  }

  /** Pages of all rows, the newest first. */
  async page(state: SaleState | null, search: string, at: number, size: number): Promise<{ total: number; rows: Sale[] }> {
    const conditions = [...(state === null ? [] : ['state = ?']), ...(search === '' ? [] : ["name LIKE ? ESCAPE '!'"])];
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const values = [...(state === null ? [] : [state]), ...(search === '' ? [] : [`%${search.replace(/[!%_]/g, '!$&')}%`])];
    const [count] = await this.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM {sale} ${where}`, values);
    const rows = await this.db.query<Sale>(`SELECT ${COLUMNS} FROM {sale} ${where} ORDER BY id DESC LIMIT ${size} OFFSET ${at}`, values);
    return { total: Number(count?.n ?? 0), rows: rows.map(plain) };
  }

  /** Orders whose money has to be given back, the oldest first. */
  async gone(): Promise<string[]> {
    const rows = await this.db.query<Pick<Sale, 'order_no'>>("SELECT order_no FROM {sale} WHERE state = 'gone' ORDER BY id LIMIT 100");
    return rows.map((row) => row.order_no);
  }

  private async one(condition: string, value: string): Promise<Sale | null> {
    const [row] = await this.db.query<Sale>(`SELECT ${COLUMNS} FROM {sale} WHERE ${condition}`, [value]);
    return row ? plain(row) : null;
  }
}

/** What a sale is of. */
export function wishOf({ zone, prefix, host_id, folder }: Pick<Sale, 'zone' | 'prefix' | 'host_id' | 'folder'>): NameWish {
  return { zone, prefix, host: host_id, folder };
}

/** Path of the page that shows how far an order got. */
export const statusPath = (viewKey: string): string => `/domain/status/${viewKey}`;

/** Engines answer numbers as texts at times. */
function plain(row: Sale): Sale {
  const whole = (value: number | null): number | null => (value === null ? null : Number(value));
  const ids = { name_id: whole(row.name_id), host_id: whole(row.host_id), customer_id: whole(row.customer_id) };
  const numbers = {
    id: Number(row.id),
    zone: Number(row.zone),
    months: Number(row.months),
    amount: Number(row.amount),
    tries: Number(row.tries),
  };
  return { ...row, ...ids, ...numbers };
}

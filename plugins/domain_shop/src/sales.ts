import { Inject, Injectable } from '@nestjs/common';
import type { NameWish, PluginDatabase } from '@svc/sdk';

import { SHOP_DATABASE } from './shop-database.js';

/** `pending` until paid; `done`; `gone` if the item was no longer available after payment, so that a refund is due. */
export type SaleState = 'pending' | 'done' | 'gone';

/** An ordered name, or an ordered renewal. */
export interface Sale {
  readonly id: number;
  /** Number of the panel's order; `free-…` for a free one without an order. */
  readonly order_no: string;
  readonly kind: 'buy' | 'renew';
  readonly zone: number;
  readonly name: string;
  readonly prefix: string;
  readonly folder: string;
  /** Id of the name, once sold. */
  readonly name_id: number | null;
  readonly host_id: number | null;
  readonly customer_id: number | null;
  /** Buyer's name for display. */
  readonly buyer: string;
  readonly months: number;
  /** Fen. */
  readonly amount: number;
  readonly view_key: string;
  readonly state: SaleState;
  /** Whether the host serves it: `no` not yet, `never` after all attempts failed. */
  readonly shown: 'no' | 'yes' | 'never';
  readonly tries: number;
  readonly remark: string;
  readonly ordered_at: string;
}

/** Fields of a new row. */
export type NewSale = Omit<Sale, 'id' | 'remark' | 'ordered_at' | 'tries'> & { readonly request_key: string | null };

const COLUMNS =
  'id, order_no, kind, zone, name, prefix, folder, name_id, host_id, customer_id, buyer, months, amount, ' +
  'view_key, state, shown, tries, remark, ordered_at';
/** Attempts to bind a sold name, a minute apart. */
const MAX_TRIES = 60;

/** Rows of the shop's orders. */
@Injectable()
export class Sales {
  constructor(@Inject(SHOP_DATABASE) private readonly db: PluginDatabase) {}

  async find(orderNo: string): Promise<Sale | null> {
    return this.one('order_no = ?', orderNo);
  }

  /** By the key of its status page, which only its buyer knows. */
  async byKey(viewKey: string): Promise<Sale | null> {
    return this.one('view_key = ?', viewKey);
  }

  byRequest(key: string): Promise<Sale | null> {
    return this.one('request_key = ?', key);
  }

  /** Returns the latest open order for a name. */
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

  /** Moves from pending to a final state. @returns false if another process did so before */
  async end(orderNo: string, state: 'done' | 'gone', nameId: number | null, remark = ''): Promise<boolean> {
    const { affected } = await this.db.run(
      "UPDATE {sale} SET state = ?, name_id = ?, remark = ? WHERE order_no = ? AND state = 'pending'",
      [state, nameId, remark.slice(0, 255), orderNo],
    );
    return affected === 1;
  }

  /** Called when the order was closed: the same request may order again. */
  async closed(orderNo: string): Promise<void> {
    await this.db.run("UPDATE {sale} SET request_key = NULL WHERE order_no = ? AND state = 'pending'", [orderNo]);
  }

  /** Returns which of these orders await delivery. */
  async undelivered(orderNos: readonly string[]): Promise<string[]> {
    if (orderNos.length === 0) return [];
    const rows = await this.db.query<Pick<Sale, 'order_no'>>(
      `SELECT order_no FROM {sale} WHERE order_no IN (${orderNos.map(() => '?').join(', ')}) AND state = 'pending'`,
      [...orderNos],
    );
    return rows.map((row) => row.order_no);
  }

  /** Returns sold names that are not bound yet, oldest first. */
  async unshown(): Promise<Sale[]> {
    const rows = await this.db.query<Sale>(`SELECT ${COLUMNS} FROM {sale} WHERE shown = 'no' AND state = 'done' ORDER BY id LIMIT 20`);
    return rows.map(plain);
  }

  /** Records the result of an attempt to bind a name. @param isOver a retry is pointless */
  async tried({ id, tries }: Sale, problem: string | null, isOver: boolean): Promise<void> {
    const over = isOver || tries + 1 >= MAX_TRIES;
    const shown = problem === null ? 'yes' : over ? 'never' : 'no';
    await this.db.run('UPDATE {sale} SET shown = ?, tries = tries + 1, remark = ? WHERE id = ?', [
      shown,
      (problem ?? '').slice(0, 255),
      id,
    ]);
  }

  /** Returns a page of all rows, newest first. */
  async page(state: SaleState | null, search: string, at: number, size: number): Promise<{ total: number; rows: Sale[] }> {
    const conditions = [...(state === null ? [] : ['state = ?']), ...(search === '' ? [] : ["name LIKE ? ESCAPE '!'"])];
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const values = [...(state === null ? [] : [state]), ...(search === '' ? [] : [`%${search.replace(/[!%_]/g, '!$&')}%`])];
    const [count] = await this.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM {sale} ${where}`, values);
    const rows = await this.db.query<Sale>(`SELECT ${COLUMNS} FROM {sale} ${where} ORDER BY id DESC LIMIT ${size} OFFSET ${at}`, values);
    return { total: Number(count?.n ?? 0), rows: rows.map(plain) };
  }

  /** Returns orders whose payment must be refunded, oldest first. */
  async gone(): Promise<string[]> {
    const rows = await this.db.query<Pick<Sale, 'order_no'>>("SELECT order_no FROM {sale} WHERE state = 'gone' ORDER BY id LIMIT 100");
    return rows.map((row) => row.order_no);
  }

  private async one(condition: string, value: string): Promise<Sale | null> {
    const [row] = await this.db.query<Sale>(`SELECT ${COLUMNS} FROM {sale} WHERE ${condition}`, [value]);
    return row ? plain(row) : null;
  }
}

/** The name a sale is for. */
export function wishOf({ zone, prefix, host_id, folder }: Pick<Sale, 'zone' | 'prefix' | 'host_id' | 'folder'>): NameWish {
  return { zone, prefix, host: host_id, folder };
}

/** Path of an order's status page. */
export const statusPath = (viewKey: string): string => `/domain/status/${viewKey}`;

/** Database engines sometimes return numbers as texts. */
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

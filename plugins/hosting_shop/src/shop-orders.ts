import { Inject, Injectable } from '@nestjs/common';
import type { PluginDatabase } from '@svc/sdk';

import { Credentials } from './credentials.js';
import { SHOP_DATABASE } from './shop-database.js';
import { namesIn, Shares } from './shares.js';

/** Row of a purchase. */
export interface Purchase {
  /** Number of the panel's order; `free-…` for a free one without an order. */
  readonly order_no: string;
  readonly kind: 'paid' | 'free' | 'trial';
  readonly plan_id: number;
  /** Name of the plan at the time; empty for old purchases. */
  readonly plan_name: string;
  readonly months: number;
  /** Length of a trial. */
  readonly days: number;
  /** Fen. */
  readonly amount: number;
  /** Part of the amount for set-up, in fen. */
  readonly setup_fee: number;
  readonly extras: string;
  readonly username: string;
  readonly email: string;
  readonly customer_id: number | null;
  readonly sealed_password: string | null;
  readonly view_key: string;
  readonly state: 'pending' | 'opened' | 'failed' | 'name_taken' | 'renamed';
  readonly host_id: number | null;
  readonly remark: string;
  /** Sold beyond the stock, because the payment arrived after the order was closed. */
  readonly past_stock: number | boolean;
  readonly ordered_at: string;
}

/** Columns of {@link Purchase}. */
export const PURCHASE_COLUMNS =
  'order_no, kind, plan_id, plan_name, months, days, amount, setup_fee, extras, username, email, customer_id, ' +
  'sealed_password, view_key, state, host_id, remark, past_stock, ordered_at';

/**
 * Purchases and their states: `pending` → `opened`, or `failed` with the reason while it is retried. If the name was taken before the
 * payment: `name_taken` until the buyer chooses another, then `renamed` until the account is open.
 */
@Injectable()
export class ShopOrders {
  constructor(
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(Shares) private readonly shares: Shares,
  ) {}

  async find(orderNo: string): Promise<Purchase | null> {
    const [row] = await this.db.query<Purchase>(`SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE order_no = ?`, [orderNo]);
    return row ?? null;
  }

  /** By the key of its status page, which only its buyer knows. */
  async findByKey(viewKey: string): Promise<Purchase | null> {
    const [row] = await this.db.query<Purchase>(`SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE view_key = ?`, [viewKey]);
    return row ?? null;
  }

  /** Returns the latest purchase of a host; null if it was not bought here. */
  async ofHost(hostId: number): Promise<Purchase | null> {
    const [row] = await this.db.query<Purchase>(
      `SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE host_id = ? AND state = 'opened' ORDER BY id DESC LIMIT 1`,
      [hostId],
    );
    return row ?? null;
  }

  /** Whether a paid purchase that is not open yet wants this name. */
  async isNameWanted(username: string): Promise<boolean> {
    const rows = await this.db.query("SELECT id FROM {purchase} WHERE state IN ('failed', 'renamed') AND LOWER(username) = ? LIMIT 1", [
      username.toLowerCase(),
    ]);
    return rows.length > 0;
  }

  /** Returns which of these orders have a purchase to open. */
  async unopened(orderNos: readonly string[]): Promise<string[]> {
    if (orderNos.length === 0) return [];
    const rows = await this.db.query<Pick<Purchase, 'order_no'>>(
      `SELECT order_no FROM {purchase} WHERE order_no IN (${orderNos.map(() => '?').join(', ')}) AND state IN ('pending', 'failed')`,
      [...orderNos],
    );
    return rows.map((row) => row.order_no);
  }

  /** Returns free purchases to open, oldest first. */
  async unopenedFree(): Promise<string[]> {
    const rows = await this.db.query<Pick<Purchase, 'order_no'>>(
      "SELECT order_no FROM {purchase} WHERE kind IN ('free', 'trial') AND state IN ('pending', 'failed') ORDER BY id LIMIT 20",
    );
    return rows.map((row) => row.order_no);
  }

  /** Marks the name of a paid purchase as taken, unless it was renamed or opened meanwhile. */
  async nameTaken({ order_no, username }: Purchase): Promise<void> {
    await this.db.run("UPDATE {purchase} SET state = 'name_taken', remark = '' WHERE order_no = ? AND username = ? AND state <> 'opened'", [
      order_no,
      username,
    ]);
  }

  /** Renames a purchase that waits for a new name; false if it does not wait any more. */
  async rename(orderNo: string, username: string): Promise<boolean> {
    const { affected } = await this.db.run(
      "UPDATE {purchase} SET state = 'renamed', username = ? WHERE order_no = ? AND state = 'name_taken'",
      [username, orderNo],
    );
    return affected === 1;
  }

  /** Returns renamed purchases to open, oldest first. */
  renamed(): Promise<Purchase[]> {
    return this.db.query(`SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE state = 'renamed' ORDER BY id LIMIT 20`);
  }

  /** Stores the reason why a purchase is delayed. */
  async remark(orderNo: string, reason: string): Promise<void> {
    await this.db.run("UPDATE {purchase} SET remark = ? WHERE order_no = ? AND state <> 'opened'", [reason.slice(0, 255), orderNo]);
  }

  /** Returns the password its buyer chose; available only until the account is open. */
  password(purchase: Purchase): string {
    return this.credentials.open(purchase.sealed_password!);
  }

  /** Records that the account exists: deletes the password, and transfers the reservation to the host. */
  async opened(orderNo: string, hostId: number): Promise<void> {
    await this.db.transaction(async () => {
      const { affected } = await this.db.run(
        "UPDATE {purchase} SET state = 'opened', host_id = ?, sealed_password = NULL, remark = '' WHERE order_no = ? AND state <> 'opened'",
        [hostId, orderNo],
      );
      if (affected !== 1) return;
      const seated = await this.db.run(
        `INSERT INTO {seat} (host_id, plan_id, shares) SELECT p.host_id, p.plan_id, COALESCE(p.shares, '[]') FROM {purchase} p
         WHERE p.order_no = ? AND p.hold = 'sold' AND NOT EXISTS (SELECT 1 FROM {seat} s WHERE s.host_id = p.host_id)`,
        [orderNo],
      );
      if (seated.affected === 1) return;
      // The host's package change was already processed after an interrupted attempt, so its share is counted.
      const [sold] = await this.db.query<{ plan_id: number; shares: string | null }>(
        "SELECT plan_id, shares FROM {purchase} WHERE order_no = ? AND hold = 'sold'",
        [orderNo],
      );
      if (sold) await this.shares.release(Number(sold.plan_id), namesIn(sold.shares));
    });
  }

  async failed(orderNo: string, reason: string): Promise<void> {
    await this.db.run("UPDATE {purchase} SET state = 'failed', remark = ? WHERE order_no = ? AND state <> 'opened'", [
      reason.slice(0, 255),
      orderNo,
    ]);
  }
}

/** Path of a purchase's status page. */
export function statusPath(viewKey: string): string {
  return `/shop/status/${viewKey}`;
}

import { Inject, Injectable } from '@nestjs/common';
import type { PluginDatabase } from '@svc/sdk';

import { Credentials } from './credentials.js';
import { SHOP_DATABASE } from './shop-database.js';
import { namesIn, Shares } from './shares.js';

/** A row of what was bought. */
export interface Purchase {
  /** Of the panel's order; `free-…` where there is none, because it costs nothing. */
  readonly order_no: string;
  readonly kind: 'paid' | 'free' | 'trial';
  readonly plan_id: number;
  /** As it was called then; empty for what was bought before that was kept. */
  readonly plan_name: string;
  readonly months: number;
  /** Of a trial. */
  readonly days: number;
  /** Fen. */
  readonly amount: number;
  /** Fen of it that were for setting it up. */
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
  /** Sold though the stock was used up: the payment came after the order was closed. */
  readonly past_stock: number | boolean;
  readonly ordered_at: string;
}

/** Columns of {@link Purchase}. */
export const PURCHASE_COLUMNS =
  'order_no, kind, plan_id, plan_name, months, days, amount, setup_fee, extras, username, email, customer_id, ' +
  'sealed_password, view_key, state, host_id, remark, past_stock, ordered_at';

/**
 * What was bought, and how far it got: `pending` → `opened`, or `failed` with the reason while it is tried again. Where somebody else has
 * the name by the time it is paid: `name_taken` until the buyer chooses another one, `renamed` until the account is open.
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

  /** By the key of its status page, which only its buyer has. */
  async findByKey(viewKey: string): Promise<Purchase | null> {
    const [row] = await this.db.query<Purchase>(`SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE view_key = ?`, [viewKey]);
    return row ?? null;
  }

  /** What a host was bought as, the latest; null where it was not bought here. */
  async ofHost(hostId: number): Promise<Purchase | null> {
    const [row] = await this.db.query<Purchase>(
      `SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE host_id = ? AND state = 'opened' ORDER BY id DESC LIMIT 1`,
      [hostId],
    );
    return row ?? null;
  }

  /** Whether a purchase that was paid and could not be opened yet wants this name. */
  async isNameWanted(username: string): Promise<boolean> {
    const rows = await this.db.query("SELECT id FROM {purchase} WHERE state IN ('failed', 'renamed') AND LOWER(username) = ? LIMIT 1", [
      username.toLowerCase(),
    ]);
    return rows.length > 0;
  }

  /** Which of these orders have a purchase that is to be opened. */
  async unopened(orderNos: readonly string[]): Promise<string[]> {
    if (orderNos.length === 0) return [];
    const rows = await this.db.query<Pick<Purchase, 'order_no'>>(
      `SELECT order_no FROM {purchase} WHERE order_no IN (${orderNos.map(() => '?').join(', ')}) AND state IN ('pending', 'failed')`,
      [...orderNos],
    );
    return rows.map((row) => row.order_no);
  }

  /** Numbers of purchases that cost nothing and are to be opened; the oldest first. */
  async unopenedFree(): Promise<string[]> {
    const rows = await this.db.query<Pick<Purchase, 'order_no'>>(
      "SELECT order_no FROM {purchase} WHERE kind IN ('free', 'trial') AND state IN ('pending', 'failed') ORDER BY id LIMIT 20",
    );
    return rows.map((row) => row.order_no);
  }

  /** Somebody else has the name of this paid purchase, unless it has another one or is open by now. */
  async nameTaken({ order_no, username }: Purchase): Promise<void> {
    await this.db.run("UPDATE {purchase} SET state = 'name_taken', remark = '' WHERE order_no = ? AND username = ? AND state <> 'opened'", [
      order_no,
      username,
    ]);
  }

  /** Gives a purchase that waits for one another name; false when it does not wait (any more). */
  async rename(orderNo: string, username: string): Promise<boolean> {
    const { affected } = await this.db.run(
      "UPDATE {purchase} SET state = 'renamed', username = ? WHERE order_no = ? AND state = 'name_taken'",
      [username, orderNo],
    );
    return affected === 1;
  }

  /** Purchases with another name that are to be opened; the oldest first. */
  renamed(): Promise<Purchase[]> {
    return this.db.query(`SELECT ${PURCHASE_COLUMNS} FROM {purchase} WHERE state = 'renamed' ORDER BY id LIMIT 20`);
  }

  /** Says what is in the way of a purchase. */
  async remark(orderNo: string, reason: string): Promise<void> {
    await this.db.run("UPDATE {purchase} SET remark = ? WHERE order_no = ? AND state <> 'opened'", [reason.slice(0, 255), orderNo]);
  }

  /** The password its buyer chose; only until the account is open. */
  password(purchase: Purchase): string {
    return this.credentials.open(purchase.sealed_password!);
  }

  /** The account exists: nobody needs the password any more, and what was sold of the plan is the host's. */
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
      // Its package was noticed before this was written down, in an attempt that broke off: what the host has is counted already.
      const [sold] = await this.db.query<{ plan_id: number; shares: string | null }>(
        "SELECT plan_id, shares FROM {purchase} WHERE order_no = ? AND hold = 'sold'",
        [orderNo],
      );
      if (sold) await this.shares.giveBack(Number(sold.plan_id), namesIn(sold.shares));
    });
  }

  async failed(orderNo: string, reason: string): Promise<void> {
    await this.db.run("UPDATE {purchase} SET state = 'failed', remark = ? WHERE order_no = ? AND state <> 'opened'", [
      reason.slice(0, 255),
      orderNo,
    ]);
  }
}

/** Path of the page that shows how far a purchase got. */
export function statusPath(viewKey: string): string {
  return `/shop/status/${viewKey}`;
}

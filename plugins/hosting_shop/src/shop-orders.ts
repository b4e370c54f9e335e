import { randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { type OrderSummary, OrdersService, type PluginDatabase } from '@svc/sdk';

import { Credentials } from './credentials.js';
import type { Plan } from './plans.js';
import { SHOP_DATABASE } from './shop-database.js';

/** A row of what was bought. */
export interface Purchase {
  readonly order_no: string;
  readonly plan_id: number;
  readonly months: number;
  readonly username: string;
  readonly sealed_password: string | null;
  readonly view_key: string;
  readonly state: 'pending' | 'opened' | 'failed' | 'name_taken' | 'renamed';
  readonly host_id: number | null;
  readonly remark: string;
}

/** What is to be bought. */
export interface NewPurchase {
  readonly plan: Plan;
  readonly months: number;
  /** Of the order, for people. */
  readonly name: string;
  readonly username: string;
  readonly password: string;
  readonly type?: string;
  readonly ip: string;
}

const COLUMNS = 'order_no, plan_id, months, username, sealed_password, view_key, state, host_id, remark';

/**
 * What was bought, and how far it got: `pending` → `opened`, or `failed` with the reason while it is tried again. Where somebody else has
 * the name by the time it is paid: `name_taken` until the buyer chooses another one, `renamed` until the account is open.
 */
@Injectable()
export class ShopOrders {
  constructor(
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(Credentials) private readonly credentials: Credentials,
  ) {}

  /** Writes an order of the panel and what the shop has to know of it, both or neither. */
  create({ plan, months, name, username, password, type, ip }: NewPurchase): Promise<{ order: OrderSummary; statusUrl: string }> {
    return this.db.transaction(async () => {
      const viewKey = randomBytes(16).toString('hex');
      const order = await this.orders.create({
        user: username,
        scene: 'hosting',
        name,
        amount: plan.priceMonth * months,
        type,
        context: { plan_id: plan.id, months, username, done_url: statusPath(viewKey) },
        ip,
      });
      await this.db.run(
        'INSERT INTO {purchase} (order_no, plan_id, months, username, sealed_password, view_key) VALUES (?, ?, ?, ?, ?, ?)',
        [order.ddh, plan.id, months, username, this.credentials.seal(password), viewKey],
      );
      return { order, statusUrl: statusPath(viewKey) };
    });
  }

  async find(orderNo: string): Promise<Purchase | null> {
    const [row] = await this.db.query<Purchase>(`SELECT ${COLUMNS} FROM {purchase} WHERE order_no = ?`, [orderNo]);
    return row ?? null;
  }

  /** By the key of its status page, which only its buyer has. */
  async findByKey(viewKey: string): Promise<Purchase | null> {
    const [row] = await this.db.query<Purchase>(`SELECT ${COLUMNS} FROM {purchase} WHERE view_key = ?`, [viewKey]);
    return row ?? null;
  }

  /** Id of the plan a host was bought as, the latest one; null where it was not bought here. */
  async planOf(hostId: number): Promise<number | null> {
    const [row] = await this.db.query<Pick<Purchase, 'plan_id'>>(
      "SELECT plan_id FROM {purchase} WHERE host_id = ? AND state = 'opened' ORDER BY id DESC LIMIT 1",
      [hostId],
    );
    return row ? Number(row.plan_id) : null;
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
    return this.db.query(`SELECT ${COLUMNS} FROM {purchase} WHERE state = 'renamed' ORDER BY id LIMIT 20`);
  }

  /** Says what is in the way of a purchase. */
  async remark(orderNo: string, reason: string): Promise<void> {
    await this.db.run("UPDATE {purchase} SET remark = ? WHERE order_no = ? AND state <> 'opened'", [reason.slice(0, 255), orderNo]);
  }

  /** The password its buyer chose; only until the account is open. */
  password(purchase: Purchase): string {
    return this.credentials.open(purchase.sealed_password!);
  }

  /** The account exists: nobody needs the password any more. */
  async opened(orderNo: string, hostId: number): Promise<void> {
    await this.db.run("UPDATE {purchase} SET state = 'opened', host_id = ?, sealed_password = NULL, remark = '' WHERE order_no = ?", [
      hostId,
      orderNo,
    ]);
  }

  async failed(orderNo: string, reason: string): Promise<void> {
    await this.db.run("UPDATE {purchase} SET state = 'failed', remark = ? WHERE order_no = ? AND state <> 'opened'", [
      reason.slice(0, 255),
      orderNo,
    ]);
  }

  latest(): Promise<Purchase[]> {
    return this.db.query(`SELECT ${COLUMNS} FROM {purchase} ORDER BY id DESC LIMIT 50`);
  }
}

function statusPath(viewKey: string): string {
  return `/shop/status/${viewKey}`;
}

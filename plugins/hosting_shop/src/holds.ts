import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrdersService, PluginLogger, SVC_FACADE, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { SHOP_DATABASE } from './shop-database.js';
import { Shares } from './shares.js';

/** Stock and quotas reserved by a purchase. */
interface Held {
  readonly plan_id: number;
  readonly shares: string | null;
}

/**
 * Reservations of purchases in stock and quotas: `held` after ordering, `sold` after payment, `free` after the order was closed. A late
 * payment for a closed order takes them again, even beyond the stock.
 */
@Injectable()
export class Holds implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(PluginLogger) private readonly log: PluginLogger,
    @Inject(Shares) private readonly shares: Shares,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('order.closed', async (order) => (order.scene === 'hosting' ? this.release(order.ddh) : undefined), 20, {
      id: 'give-back',
    });
  }

  /** Called when the order was closed: releases its reservations once, unless it was paid meanwhile. */
  async release(orderNo: string): Promise<void> {
    await this.db.transaction(async () => {
      const { affected } = await this.db.run(
        "UPDATE {purchase} SET hold = 'free', request_key = NULL WHERE order_no = ? AND hold = 'held'",
        [orderNo],
      );
      if (affected !== 1) return;
      const held = await this.heldBy(orderNo);
      await this.shares.release(held.plan_id, namesOf(held));
    });
  }

  /** Called when it was paid or is free: marks its reservations as sold. If they were already released, this may exceed the stock. */
  async sell(orderNo: string): Promise<void> {
    const { affected } = await this.db.run("UPDATE {purchase} SET hold = 'sold' WHERE order_no = ? AND hold = 'held'", [orderNo]);
    if (affected === 1) return;
    await this.db.transaction(async () => {
      const again = await this.db.run("UPDATE {purchase} SET hold = 'sold' WHERE order_no = ? AND hold = 'free'", [orderNo]);
      if (again.affected !== 1) return;
      const held = await this.heldBy(orderNo);
      if (!(await this.shares.takePaid(held.plan_id, namesOf(held)))) return;
      await this.db.run('UPDATE {purchase} SET past_stock = 1 WHERE order_no = ?', [orderNo]);
      this.log.warn('a late payment was delivered although its plan is out of stock', { order: orderNo, plan: held.plan_id });
    });
  }

  /** Closes unpaid orders of the same cart with other contents and releases their reservations, in the caller's transaction. */
  async supersede(cart: string, key: string): Promise<void> {
    const rows = await this.db.query<{ order_no: string }>(
      "SELECT order_no FROM {purchase} WHERE cart = ? AND kind = 'paid' AND state = 'pending' AND hold = 'held' " +
        'AND request_key <> ? ORDER BY id LIMIT 20',
      [cart, key],
    );
    for (const { order_no: orderNo } of rows) if (await this.orders.close(orderNo)) await this.release(orderNo);
  }

  private async heldBy(orderNo: string): Promise<Held> {
    const [row] = await this.db.query<Held>('SELECT plan_id, shares FROM {purchase} WHERE order_no = ?', [orderNo]);
    return row!;
  }
}

function namesOf({ shares }: Held): string[] {
  return shares === null ? [] : (JSON.parse(shares) as string[]);
}

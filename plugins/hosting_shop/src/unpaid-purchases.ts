import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrdersService, SVC_FACADE, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { Holds } from './holds.js';
import { today } from './periods.js';
import { SHOP_DATABASE } from './shop-database.js';
import { Shares } from './shares.js';

/** Purchases checked per tick. */
const BATCH = 200;

/** Deletes purchases whose unpaid orders the panel has removed. */
@Injectable()
export class UnpaidPurchases implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(Holds) private readonly holds: Holds,
    @Inject(Shares) private readonly shares: Shares,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('cron', async () => {
      await this.forget();
      await this.shares.forgetDays(today(new Date(), this.svc.timezone));
    });
  }

  /** Orders are removed oldest first, so the first existing one ends the loop. */
  private async forget(): Promise<void> {
    const rows = await this.db.query<{ id: number; order_no: string }>(
      `SELECT id, order_no FROM {purchase} WHERE state = 'pending' AND kind = 'paid' ORDER BY id LIMIT ${BATCH}`,
    );
    for (const { id, order_no: number } of rows) {
      if (await this.orders.get(number)) return;
      // Already released when the order was closed, unless the shop was disabled at the time.
      await this.holds.release(number);
      await this.db.run("DELETE FROM {purchase} WHERE id = ? AND state = 'pending'", [id]);
    }
  }
}

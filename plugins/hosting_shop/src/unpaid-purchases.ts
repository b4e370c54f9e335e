import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrdersService, SVC_FACADE, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { SHOP_DATABASE } from './shop-database.js';

/** Purchases looked at in a tick. */
const BATCH = 200;

/** Forgets purchases whose order the panel has removed, because nobody paid it for months. */
@Injectable()
export class UnpaidPurchases implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(OrdersService) private readonly orders: OrdersService,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('cron', () => this.forget());
  }

  /** Orders go oldest first, so the first one that is still there ends it. */
  private async forget(): Promise<void> {
    const rows = await this.db.query<{ id: number; order_no: string }>(
      `SELECT id, order_no FROM {purchase} WHERE state = 'pending' ORDER BY id LIMIT ${BATCH}`,
    );
    for (const { id, order_no: number } of rows) {
      if (await this.orders.get(number)) return;
      await this.db.run("DELETE FROM {purchase} WHERE id = ? AND state = 'pending'", [id]);
    }
  }
}

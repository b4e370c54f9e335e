import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { NamesService, OrdersService, SVC_FACADE, type OrderSummary, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { SCENE } from './checkout.js';
import { isFinal, messageOf, type PanelRefusal } from './refusals.js';
import { Sales, wishOf, type Sale } from './sales.js';
import { SHOP_DATABASE } from './shop-database.js';
import { Showing } from './showing.js';

const MINUTE = 60_000;
/** How far back paid orders are compared with sales: every minute, and at the start and every hour. */
const RECENTLY = 15 * MINUTE;
const EVER = 90 * 24 * 60 * MINUTE;
/** Orders compared per query. */
const PAGE = 200;

/**
 * Delivers paid orders: in `order.paid`, a durable listener that is retried until it succeeds, and additionally by comparing paid orders
 * with sales at the start and periodically, in case the event was lost. The sale's row is completed in the transaction that sells or
 * renews, so each order is delivered once.
 */
@Injectable()
export class Delivery implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(NamesService) private readonly names: NamesService,
    @Inject(Sales) private readonly sales: Sales,
    @Inject(Showing) private readonly showing: Showing,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_add_action('order.paid', async (order) => (order.scene === SCENE ? this.deliver(order.ddh) : undefined), 20, { id: 'deliver' });
    svc.svc_add_action('order.closed', async (order) => (order.scene === SCENE ? this.release(order.ddh) : undefined), 20, {
      id: 'release',
    });
    svc.svc_add_action('cron', () => this.catchUp(new Date().getMinutes() === 0 ? EVER : RECENTLY));
    // Not awaited: the shop is open during the check.
    this.catchUp(EVER).catch((error: unknown) =>
      svc.log.warn('paid orders could not be compared with sales', { reason: messageOf(error) }),
    );
  }

  /** @throws errors that a retry may resolve */
  private async deliver(orderNo: string): Promise<void> {
    const sale = await this.sales.find(orderNo);
    if (!sale) return;
    if (sale.state === 'pending') {
      try {
        await this.db.transaction(() => this.handOver(sale));
      } catch (error) {
        if (!isFinal(error)) throw error;
        await this.markUndeliverable(sale, error);
      }
    }
    await this.showing.showOrder(orderNo);
  }

  private async handOver(sale: Sale): Promise<void> {
    if (sale.kind === 'renew') {
      if (await this.sales.end(sale.order_no, 'done', sale.name_id)) await this.names.renew(sale.name_id!, sale.months);
      return;
    }
    const { id } = await this.names.sell(wishOf(sale), sale.order_no, sale.months);
    await this.sales.end(sale.order_no, 'done', id);
  }

  /** Handles a paid order that cannot be delivered any more: notifies reseller and buyer, and the reseller refunds it. */
  private async markUndeliverable(sale: Sale, why: PanelRefusal): Promise<void> {
    await this.db.transaction(async () => {
      if (!(await this.sales.end(sale.order_no, 'gone', sale.name_id, why.message))) return;
      const { notices } = this.svc;
      const notice = {
        title: 'notice_gone',
        params: { name: sale.name, order: sale.order_no },
        level: 'warning',
        kind: 'payment',
      } as const;
      const link = `/admin/order?ddh=${sale.order_no}`;
      const key = `gone:${sale.order_no}`;
      await notices.tell({ ...notice, to: 'administrators', key, text: 'notice_gone_admin', link });
      if (sale.host_id !== null)
        await notices.tell({ ...notice, to: { account: sale.host_id }, key: `${key}:buyer`, text: 'notice_gone_buyer' });
    });
  }

  private async release(orderNo: string): Promise<void> {
    await this.names.drop(orderNo);
    await this.sales.closed(orderNo);
  }

  /** Delivers undelivered orders paid in the last `period` milliseconds. */
  private async catchUp(period: number): Promise<void> {
    const since = new Date(Date.now() - period);
    let after: OrderSummary | undefined;
    for (;;) {
      const paid: OrderSummary[] = await this.orders.paid({ scene: SCENE, since, after, limit: PAGE });
      for (const orderNo of await this.sales.undelivered(paid.map(({ ddh }) => ddh))) {
        await this.deliver(orderNo).catch((error: unknown) =>
          this.svc.log.warn('a paid order could not be delivered', { order: orderNo, reason: messageOf(error) }),
        );
      }
      if (paid.length < PAGE) return;
      after = paid.at(-1);
    }
  }
}

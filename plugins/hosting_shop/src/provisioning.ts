import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HostsService, OrdersService, PluginLogger, SVC_FACADE, type OrderSummary, type SvcFacade } from '@svc/sdk';

import { chosenFrom, withExtras } from './extra-terms.js';
import { Holds } from './holds.js';
import { packageOf } from './package-keys.js';
import { lastDay, lastTrialDay } from './periods.js';
import { Plans } from './plans.js';
import { ShopOrders, type Purchase } from './shop-orders.js';

const MINUTE = 60_000;
/** How far back paid orders are compared with purchases: every minute, and at the start and every hour. */
const RECENTLY = 15 * MINUTE;
const EVER = 90 * 24 * 60 * MINUTE;
/** Error codes of the panel when no server has capacity. */
const ROOMLESS: readonly string[] = ['NODE_FULL', 'GROUP_FULL', 'GROUP_AWAY', 'GROUP_NOT_FOUND'];
/** Orders compared per query. */
const PAGE = 200;

/**
 * Opens the accounts of paid orders: in `order.paid`, a durable listener that is retried until it succeeds, and additionally by comparing
 * paid orders with purchases at the start and periodically, in case the event was lost. After the buyer chose another name it is tried
 * immediately and then every minute. The idempotency key prevents a second account.
 */
@Injectable()
export class Provisioning implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(PluginLogger) private readonly log: PluginLogger,
    @Inject(ShopOrders) private readonly purchases: ShopOrders,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Holds) private readonly holds: Holds,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_action('order.paid', async (order) => (order.scene === 'hosting' ? this.openPaid(order.ddh) : undefined), 20, {
      id: 'provision',
    });
    this.svc.svc_add_action('cron', async () => {
      for (const purchase of await this.purchases.renamed()) await this.openRenamed(purchase);
      for (const orderNo of await this.purchases.unopenedFree()) await this.openFree(orderNo);
      await this.catchUp(new Date().getMinutes() === 0 ? EVER : RECENTLY);
    });
    // Not awaited: the shop is open during the check.
    this.catchUp(EVER).catch((error: unknown) =>
      this.log.warn('paid orders could not be compared with purchases', { reason: messageOf(error) }),
    );
  }

  /** Tries to open a renamed purchase once; an error is stored in its row. */
  async openRenamed(purchase: Purchase): Promise<void> {
    try {
      await this.open(purchase);
    } catch (error) {
      if (isTaken(error)) await this.purchases.nameTaken(purchase);
      else await this.purchases.remark(purchase.order_no, messageOf(error));
    }
  }

  /** Opens the account of a free purchase; an error is stored in its row, and it is retried periodically. */
  async openFree(orderNo: string): Promise<void> {
    await this.openPaid(orderNo).catch((error: unknown) =>
      this.log.warn('a free account could not be opened', { order: orderNo, reason: messageOf(error) }),
    );
  }

  /** Opens the account of a paid order, unless it is open or waits for its buyer; throws errors that a retry may resolve. */
  private async openPaid(orderNo: string): Promise<void> {
    const purchase = await this.purchases.find(orderNo);
    // A renamed purchase is handled by its buyer's request and the periodic check.
    if (!purchase || !['pending', 'failed'].includes(purchase.state)) return;
    await this.holds.sell(orderNo);
    try {
      await this.open(purchase);
    } catch (error) {
      // A retry would not help: the buyer is asked for another name.
      if (isTaken(error)) return void (await this.purchases.nameTaken(purchase));
      await this.purchases.failed(orderNo, messageOf(error));
      if (isRoomless(error)) await this.notifyNoCapacity(purchase, messageOf(error));
      throw error;
    }
  }

  /** Notifies administrators once a day per plan: purchases wait for capacity and are retried. */
  private async notifyNoCapacity({ plan_id, plan_name }: Purchase, reason: string): Promise<void> {
    await this.svc.notices.tell({
      to: 'administrators',
      key: `no-room:${plan_id}:${new Date().toISOString().slice(0, 10)}`,
      title: 'no_room_title',
      text: 'no_room_text',
      params: { plan: plan_name || `#${plan_id}`, reason },
      level: 'danger',
      link: '/admin/plugin.php?p=hosting_shop&page=sales',
    });
  }

  /** Opens accounts of orders paid in the last `period` milliseconds that are not open. */
  private async catchUp(period: number): Promise<void> {
    const since = new Date(Date.now() - period);
    let after: OrderSummary | undefined;
    for (;;) {
      const paid: OrderSummary[] = await this.orders.paid({ scene: 'hosting', since, after, limit: PAGE });
      for (const orderNo of await this.purchases.unopened(paid.map(({ ddh }) => ddh))) {
        await this.openPaid(orderNo).catch((error: unknown) =>
          this.log.warn('a paid order could not be opened', { order: orderNo, reason: messageOf(error) }),
        );
      }
      if (paid.length < PAGE) return;
      after = paid.at(-1);
    }
  }

  private async open(purchase: Purchase): Promise<void> {
    const plan = await this.plans.find(purchase.plan_id);
    if (!plan) throw new Error('The plan was deleted. Create the account manually, or refund the order.');
    const { node, monitors, backups, graceDays, keepDays } = plan;
    const { webMb, databaseMb, trafficGb, domains } = withExtras(plan, chosenFrom(purchase.extras));
    const now = new Date();
    const { timezone } = this.svc;
    const host = await this.hosts.provision({
      node,
      user: purchase.username,
      password: this.purchases.password(purchase),
      expiresOn:
        purchase.kind === 'trial' ? lastTrialDay(now, Number(purchase.days), timezone) : lastDay(now, Number(purchase.months), timezone),
      webMb,
      databaseMb,
      trafficGb,
      domains,
      monitors,
      graceDays,
      keepDays,
      backups,
      package: packageOf(purchase),
      idempotencyKey: `hosting_shop:${purchase.order_no}`,
      ...(purchase.customer_id === null ? {} : { ownerId: Number(purchase.customer_id) }),
    });
    // An order by a signed-in customer stays with the customer; otherwise it belongs to the account it opened.
    if (purchase.kind === 'paid') await this.orders.assign(purchase.order_no, { account: host.id });
    if (purchase.kind === 'paid') {
      // The set-up fee is not tied to a period, so it does not count when the host changes plans.
      const amount = Math.max(0, Number(purchase.amount) - Number(purchase.setup_fee));
      await this.hosts.paid(host.id, { order: purchase.order_no, amount, months: Number(purchase.months) });
    }
    await this.purchases.opened(purchase.order_no, host.id);
  }
}

/** Whether no server has capacity for another host; only more capacity resolves this. */
function isRoomless(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ROOMLESS.includes(String(error.code));
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ACCOUNT_EXISTS';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

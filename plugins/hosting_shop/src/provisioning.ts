import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HostsService, OrdersService, PluginLogger, SVC_FACADE, type OrderSummary, type SvcFacade } from '@svc/sdk';

import { chosenFrom, withExtras } from './extra-terms.js';
import { Holds } from './holds.js';
import { packageOf } from './package-keys.js';
import { lastDay, lastTrialDay } from './periods.js';
import { Plans } from './plans.js';
import { ShopOrders, type Purchase } from './shop-orders.js';

const MINUTE = 60_000;
/** How far back paid orders are compared with purchases: each minute, and at the start and each hour. */
const RECENTLY = 15 * MINUTE;
const EVER = 90 * 24 * 60 * MINUTE;
/** What the panel says where no server has room for a host. */
const ROOMLESS: readonly string[] = ['NODE_FULL', 'GROUP_FULL', 'GROUP_AWAY', 'GROUP_NOT_FOUND'];
/** Orders compared at once. */
const PAGE = 200;

/**
 * Opens the accounts of paid orders: in `order.paid`, a durable listener that is called again until it has finished; and, because what
 * was paid must be delivered whatever became of that event, by comparing paid orders with purchases at the start and by the clock. Where
 * the buyer had to choose another name, right then and every minute until it worked. The idempotency key makes sure that no second
 * account comes of it, whoever is first.
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
    // Not awaited: the shop is open while it looks.
    this.catchUp(EVER).catch((error: unknown) =>
      this.log.warn('paid orders could not be compared with purchases', { reason: messageOf(error) }),
    );
  }

  /** Tries a purchase with another name once; what goes wrong stands in its row. */
  async openRenamed(purchase: Purchase): Promise<void> {
    try {
      await this.open(purchase);
    } catch (error) {
      if (isTaken(error)) await this.purchases.nameTaken(purchase);
      else await this.purchases.remark(purchase.order_no, messageOf(error));
    }
  }

  /** Opens the account of a purchase that costs nothing; what goes wrong stands in its row and is tried again by the clock. */
  async openFree(orderNo: string): Promise<void> {
    await this.openPaid(orderNo).catch((error: unknown) =>
      this.log.warn('a free account could not be opened', { order: orderNo, reason: messageOf(error) }),
    );
  }

  /** Opens the account of a paid order, unless that was done or waits for its buyer; throws what another try may mend. */
  private async openPaid(orderNo: string): Promise<void> {
    const purchase = await this.purchases.find(orderNo);
    // With another name the purchase is no longer this order's alone: its buyer, and the clock, see to it.
    if (!purchase || !['pending', 'failed'].includes(purchase.state)) return;
    await this.holds.sell(orderNo);
    try {
      await this.open(purchase);
    } catch (error) {
      // Trying again would not help: the buyer is asked for another name.
      if (isTaken(error)) return void (await this.purchases.nameTaken(purchase));
      await this.purchases.failed(orderNo, messageOf(error));
      if (isRoomless(error)) await this.tellRoomless(purchase, messageOf(error));
      throw error;
    }
  }

  /** Says so once a day for each plan: what was bought waits, and is tried again. */
  private async tellRoomless({ plan_id, plan_name }: Purchase, reason: string): Promise<void> {
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

  /** Opens what was paid in the last `period` milliseconds and is not open. */
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
    // Whoever bought it while signed in keeps it among his orders; else it belongs to the account it opened.
    if (purchase.kind === 'paid') await this.orders.assign(purchase.order_no, { account: host.id });
    if (purchase.kind === 'paid') {
      // A set-up fee is for no time: it does not count when the host changes to another plan.
      const amount = Math.max(0, Number(purchase.amount) - Number(purchase.setup_fee));
      await this.hosts.paid(host.id, { order: purchase.order_no, amount, months: Number(purchase.months) });
    }
    await this.purchases.opened(purchase.order_no, host.id);
  }
}

/** Whether no server may take another host now: adding room is all it waits for. */
function isRoomless(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ROOMLESS.includes(String(error.code));
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ACCOUNT_EXISTS';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HostsService, SVC_FACADE, type HostRecord, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { planOfKey } from './package-keys.js';
import type { Plan } from './plan-terms.js';
import { Plans } from './plans.js';
import { SHOP_DATABASE } from './shop-database.js';
import { ShopOrders } from './shop-orders.js';
import { namesIn, planShare, Shares } from './shares.js';

/** Hosts checked against their seats per tick. */
const COMPARED = 20;

/** A host's share of a plan's stock. */
interface Seat {
  readonly id: number;
  readonly host_id: number;
  readonly plan_id: number;
  readonly shares: string;
}

/**
 * Stock and customer quotas used by open hosts: transferred to the other plan when a host changes its package, and released when the host
 * is deleted.
 */
@Injectable()
export class Seats implements OnModuleInit {
  private compared = 0;

  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Shares) private readonly shares: Shares,
    @Inject(ShopOrders) private readonly purchases: ShopOrders,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_add_action('host.deleted', (_user, id) => this.free(id), 20, { id: 'seat-free' });
    svc.svc_add_action('host.package.changed', (_user, id, key) => this.move(id, key), 20, { id: 'seat-move' });
    svc.svc_add_action('cron', () => this.compare());
  }

  /** Whether the customer of a host has reached the limit of a plan. */
  async isFull(plan: Plan, host: HostRecord): Promise<boolean> {
    const share = plan.perCustomer > 0 ? await this.shareOf(plan, host) : null;
    return share !== null && (await this.shares.used(share)) >= plan.perCustomer;
  }

  /** Releases a deleted host's share, once. */
  private async free(hostId: number): Promise<void> {
    await this.db.transaction(async () => {
      const seat = await this.seatOf(hostId);
      if (!seat || (await this.db.run('DELETE FROM {seat} WHERE id = ?', [seat.id])).affected !== 1) return;
      await this.shares.release(Number(seat.plan_id), namesIn(seat.shares));
    });
  }

  /** Transfers a host to another plan, even beyond its stock, and releases the previous share. */
  private async move(hostId: number, key: string): Promise<void> {
    const is = planOfKey(key);
    const plan = is && (await this.plans.find(is.planId));
    if (!plan) return this.free(hostId);
    const host = await this.hosts.get(hostId);
    if (!host) return;
    const share = plan.perCustomer > 0 ? await this.shareOf(plan, host) : null;
    const names = share === null ? [] : [share];
    await this.shares.prepare(names.map((name) => ({ name, max: plan.perCustomer, key: '' })));
    await this.db.transaction(async () => {
      const seat = await this.seatOf(hostId);
      if (Number(seat?.plan_id) === plan.id) return;
      const values = [plan.id, JSON.stringify(names)];
      if (seat) {
        const moved = await this.db.run('UPDATE {seat} SET plan_id = ?, shares = ? WHERE id = ? AND plan_id = ?', [
          ...values,
          seat.id,
          seat.plan_id,
        ]);
        if (moved.affected !== 1) return;
        await this.shares.release(Number(seat.plan_id), namesIn(seat.shares));
      } else await this.db.run('INSERT INTO {seat} (plan_id, shares, host_id) VALUES (?, ?, ?)', [...values, hostId]);
      await this.shares.takePaid(plan.id, names);
    });
  }

  /** Checks a few seats per tick, to catch up on changes that happened while the shop was not listening. */
  private async compare(): Promise<void> {
    const seats = await this.db.query<Seat>(`SELECT id, host_id, plan_id, shares FROM {seat} WHERE id > ? ORDER BY id LIMIT ${COMPARED}`, [
      this.compared,
    ]);
    this.compared = seats.length < COMPARED ? 0 : Number(seats.at(-1)!.id);
    for (const seat of seats) {
      const host = await this.hosts.get(Number(seat.host_id));
      if (!host) await this.free(Number(seat.host_id));
      // A host without a package was sold before packages existed: it keeps the purchased plan.
      else if (host.package !== null) await this.move(host.id, host.package);
    }
  }

  /** Locks the seat, so that concurrent changes see each other. */
  private async seatOf(hostId: number): Promise<Seat | undefined> {
    await this.db.run('UPDATE {seat} SET host_id = host_id WHERE host_id = ?', [hostId]);
    const [seat] = await this.db.query<Seat>('SELECT id, host_id, plan_id, shares FROM {seat} WHERE host_id = ?', [hostId]);
    return seat;
  }

  /** Returns the quota of a plan that a host counts against; null if its customer is unknown. */
  private async shareOf(plan: Plan, host: HostRecord): Promise<string | null> {
    const purchase = await this.purchases.ofHost(host.id);
    return planShare(plan.id, { customerId: host.ownerId ?? purchase?.customer_id ?? null, email: purchase?.email ?? '' });
  }
}

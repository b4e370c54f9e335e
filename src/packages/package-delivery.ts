import { Injectable, type OnModuleInit } from '@nestjs/common';

import { CORE_OWNER } from '../common/index.js';
import { DurableListeners } from '../hooks/index.js';
import { HostingService, type Terms } from '../hosting/index.js';
import type { OrderRecord } from '../sdk/index.js';

import { PackageError } from './errors.js';
import { HostPayments } from './host-payments.js';
import { PackageFit } from './package-fit.js';
import { PackageNotices } from './package-notices.js';
import { CHANGE_SCENE, changeOfOrder, type OrderedChange } from './package-order-context.js';
import { StaleOrders } from './stale-orders.js';

/**
 * Changes the packages of hosts whose change was paid, once for each order however often it is told: the row that says so is written with
 * the change. A host that was renewed, changed or is gone since is left as it is; the paid order is for a person then.
 */
@Injectable()
export class PackageDelivery implements OnModuleInit {
  constructor(
    private readonly listeners: DurableListeners,
    private readonly hosting: HostingService,
    private readonly payments: HostPayments,
    private readonly fit: PackageFit,
    private readonly stale: StaleOrders,
    private readonly notices: PackageNotices,
  ) {}

  onModuleInit(): void {
    const { listeners } = this;
    listeners.register({ owner: CORE_OWNER, hook: 'order.paid', id: 'package', priority: 0, listener: (order) => this.deliver(order) });
    // Whatever changed it: what was to be paid for the change before it could not be delivered.
    const close = (_user: string, id: number): Promise<void> => this.stale.close(id);
    listeners.register({ owner: CORE_OWNER, hook: 'host.package.changed', id: 'package-orders', priority: 0, listener: close });
    listeners.register({ owner: CORE_OWNER, hook: 'host.renewed', id: 'package-orders', priority: 0, listener: close });
    listeners.register({ owner: CORE_OWNER, hook: 'host.deleted', id: 'package-orders', priority: 0, listener: close });
  }

  /** @throws HostingError, PackageError DOES_NOT_FIT, MOVED: what another try, or a person, may mend */
  async deliver(order: Pick<OrderRecord, 'id' | 'ddh' | 'amount' | 'scene' | 'user' | 'context'>): Promise<void> {
    const change = order.scene === CHANGE_SCENE ? changeOfOrder(order.context) : null;
    if (!change) return;
    try {
      await this.make(order.id, order.amount, change);
    } catch (error) {
      if (error instanceof PackageError) await this.notices.refused(order, error);
      throw error;
    }
  }

  private async make(orderId: number, fen: number, { host: hostId, from, to, limits, until }: OrderedChange): Promise<void> {
    await this.hosting.changeTerms(
      hostId,
      {
        termsOf: async ({ packageKey, expiresOn }): Promise<Terms | null> => {
          if (await this.payments.isKnown(orderId)) return null;
          if (packageKey !== from || expiresOn !== until) throw new PackageError('MOVED');
          await this.fit.check(hostId, limits);
          return { limits, packageKey: to };
        },
        done: async (_before, after, today) => {
          await this.payments.add({ hostId, orderId, fen, months: 0, fromDay: today, untilDay: after.expiresOn! });
        },
      },
      'user',
    );
  }
}

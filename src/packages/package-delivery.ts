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
 * Applies paid package changes, once per order: the payment row is written in the same transaction. If the host was renewed, changed or
 * deleted since, it stays unchanged and the paid order must be handled manually.
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
    // After any change, unpaid orders for an earlier change can no longer be delivered.
    const close = (_user: string, id: number): Promise<void> => this.stale.close(id);
    listeners.register({ owner: CORE_OWNER, hook: 'host.package.changed', id: 'package-orders', priority: 0, listener: close });
    listeners.register({ owner: CORE_OWNER, hook: 'host.renewed', id: 'package-orders', priority: 0, listener: close });
    listeners.register({ owner: CORE_OWNER, hook: 'host.deleted', id: 'package-orders', priority: 0, listener: close });
  }

  /** @throws HostingError, PackageError DOES_NOT_FIT, MOVED: may be resolved by a retry or manually */
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

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { CORE_OWNER, Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { DurableListeners } from '../hooks/index.js';
import { HostingService, renewedByMonths, renewedFrom, type TermsChange } from '../hosting/index.js';
import { PackageRenewals } from '../packages/index.js';
import type { OrderRecord } from '../sdk/index.js';

import { Renewal } from './entities/index.js';
import { RenewalError } from './errors.js';
import { RENEWAL_SCENE, renewalOf, type RenewalContext } from './renewal-orders.js';

/**
 * Renews hosts when their renewal is paid, idempotently per order: the row that records it is written together with the new day.
 * A host suspended for expiry is resumed.
 */
@Injectable()
export class RenewalDelivery implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly listeners: DurableListeners,
    private readonly hosting: HostingService,
    private readonly clock: Clock,
    private readonly packages: PackageRenewals,
  ) {}

  onModuleInit(): void {
    this.listeners.register({
      owner: CORE_OWNER,
      hook: 'order.paid',
      id: 'renewal',
      priority: 0,
      listener: (order) => this.deliver(order),
    });
  }

  /** @throws HostingError, RenewalError, PackageError: a retry or an administrator may resolve them */
  async deliver(order: Pick<OrderRecord, 'id' | 'ddh' | 'user' | 'amount' | 'scene' | 'context'>): Promise<void> {
    const renewal = order.scene === RENEWAL_SCENE ? renewalOf(order.context) : null;
    if (!renewal) return;
    await this.hosting.changeTerms(renewal.host, this.changeOf(order, renewal), 'user').catch(async (error: unknown) => {
      await this.packages.refused(order, error);
      throw error;
    });
  }

  private changeOf({ id: orderId, amount: fen }: Pick<OrderRecord, 'id' | 'amount'>, renewal: RenewalContext['renewal']): TermsChange {
    const rows = this.database.repository(Renewal);
    const { host: hostId, months } = renewal;
    return {
      termsOf: async (account, today) => {
        const { expiresOn, graceDays } = account;
        if (await rows.existsBy({ orderId })) return null;
        if (expiresOn === null) throw new RenewalError('NEVER_EXPIRES');
        const terms = await this.packages.termsOf(account, renewal);
        return { ...terms, expiresOn: renewedByMonths({ expiresOn, graceDays }, months, today) };
      },
      done: async (before, after, today) => {
        const days = { oldDay: before.expiresOn!, newDay: after.expiresOn! };
        await this.database.repository(Renewal).insert({ orderId, hostId, months, ...days, createdAt: this.clock.now() });
        const fromDay = renewedFrom({ expiresOn: days.oldDay, graceDays: before.graceDays }, today);
        await this.packages.done({ hostId, orderId, fen, months, fromDay, untilDay: days.newDay }, renewal);
      },
    };
  }
}

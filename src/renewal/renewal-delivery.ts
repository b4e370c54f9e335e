import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { DurableListeners } from '../hooks/index.js';
import { HostingService, renewedByMonths } from '../hosting/index.js';
import type { OrderRecord } from '../sdk/index.js';

import { Renewal } from './entities/index.js';
import { RenewalError } from './errors.js';
import { RENEWAL_SCENE, renewalOf } from './renewal-orders.js';

/**
 * Renews hosts whose renewal was paid, once for each order however often it is told: the row that says so is written with the day it moves.
 * A host that was paused because its time was over runs again with it.
 */
@Injectable()
export class RenewalDelivery implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly listeners: DurableListeners,
    private readonly hosting: HostingService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.listeners.register({ owner: 'core', hook: 'order.paid', id: 'renewal', priority: 0, listener: (order) => this.deliver(order) });
  }

  /** @throws HostingError, RenewalError: what another try, or a person, may mend */
  async deliver({ id: orderId, scene, context }: Pick<OrderRecord, 'id' | 'scene' | 'context'>): Promise<void> {
    const renewal = scene === RENEWAL_SCENE ? renewalOf(context) : null;
    if (!renewal) return;
    const rows = this.database.repository(Renewal);
    const { host: hostId, months } = renewal;
    await this.hosting.extend(
      hostId,
      {
        dayOf: async ({ expiresOn, graceDays }, today) => {
          if (await rows.existsBy({ orderId })) return null;
          if (expiresOn === null) throw new RenewalError('NEVER_EXPIRES');
          return renewedByMonths({ expiresOn, graceDays }, months, today);
        },
        done: async (before, after) => {
          const days = { oldDay: before.expiresOn!, newDay: after.expiresOn! };
          await this.database.repository(Renewal).insert({ orderId, hostId, months, ...days, createdAt: this.clock.now() });
        },
      },
      'user',
    );
  }
}

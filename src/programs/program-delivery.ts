import { Injectable, type OnModuleInit } from '@nestjs/common';

import { CORE_OWNER } from '../common/index.js';
import { DurableListeners } from '../hooks/index.js';
import { HostingService, ProgramCatalogue } from '../hosting/index.js';
import type { OrderRecord } from '../sdk/index.js';

import { ProgramOrderError } from './errors.js';
import { programOf, PROGRAM_SCENE } from './program-orders.js';

/**
 * Delivers paid programs to sites, once per order even if its event is repeated. A program paid for twice, or for a site that no longer
 * exists, fails and needs an administrator.
 */
@Injectable()
export class ProgramDelivery implements OnModuleInit {
  constructor(
    private readonly listeners: DurableListeners,
    private readonly hosting: HostingService,
    private readonly catalogue: ProgramCatalogue,
  ) {}

  onModuleInit(): void {
    this.listeners.register({
      owner: CORE_OWNER,
      hook: 'order.paid',
      id: 'program',
      priority: 0,
      listener: (order) => this.deliver(order),
    });
  }

  /** @throws ProgramOrderError HOST_MISSING, PAID_BEFORE; DeployError PROGRAM_MISSING */
  async deliver(order: Pick<OrderRecord, 'id' | 'scene' | 'context'>): Promise<void> {
    const bought = order.scene === PROGRAM_SCENE ? programOf(order.context) : null;
    if (!bought) return;
    const host = await this.hosting.get(bought.host ?? bought.user);
    if (host?.user !== bought.user) throw new ProgramOrderError('HOST_MISSING');
    const given = await this.catalogue.give({ id: host.id, username: host.user }, bought.gmid, order.id);
    if (given !== order.id) throw new ProgramOrderError('PAID_BEFORE');
  }
}

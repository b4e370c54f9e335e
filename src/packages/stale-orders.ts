import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';
import { HostingService } from '../hosting/index.js';
import { Order, OrderClosing } from '../payment/index.js';

import { CHANGE_SCENE, changeOfOrder } from './package-order-context.js';

/** Maximum unpaid orders checked per host. */
const MAX_ORDERS = 50;

/** Closes unpaid orders that can no longer be delivered, so that nobody pays for them: changes from a package the host no longer has. */
@Injectable()
export class StaleOrders {
  constructor(
    private readonly database: Database,
    private readonly hosting: HostingService,
    private readonly closing: OrderClosing,
  ) {}

  async close(hostId: number): Promise<void> {
    const host = await this.hosting.get(hostId);
    const orders = await this.database.repository(Order).find({
      where: { ownerKind: 'account', ownerId: hostId, status: 'unpaid', scene: CHANGE_SCENE },
      order: { id: 'DESC' },
      take: MAX_ORDERS,
    });
    for (const { id, context } of orders) {
      const change = changeOfOrder(context);
      if (!change) continue;
      const isCurrent = host?.package === change.from && host.expiresOn === change.until;
      if (!isCurrent) await this.closing.close(id, { source: 'cron' });
    }
  }
}

import { Injectable } from '@nestjs/common';

import { Database } from '../database/index.js';

import { OrderDeeds, type OrderActor } from './order-deeds.js';
import { Orders } from './orders.js';

/** Closes orders nobody has paid, and keeps who did and why. A payment that comes late still settles them. */
@Injectable()
export class OrderClosing {
  constructor(
    private readonly database: Database,
    private readonly orders: Orders,
    private readonly deeds: OrderDeeds,
  ) {}

  /** @returns false where the order is not unpaid (any more) */
  close(id: number, actor: OrderActor, params: Record<string, string> = {}): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.orders.close(id))) return false;
      await this.deeds.add(id, 'closed', actor, params);
      return true;
    });
  }
}

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type HostRecord, type RenewalOffer, type SvcFacade } from '@svc/sdk';

import { PERIODS } from './periods.js';
import { Plans } from './plans.js';
import { ShopOrders } from './shop-orders.js';

/** Offers the hosts the shop has opened to be renewed for the times it sells, at the price their plan has now; one that is not sold any more too. */
@Injectable()
export class Renewals implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
    @Inject(Plans) private readonly plans: Plans,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_filter('host.renewal.offers', async (offers: RenewalOffer[], host: HostRecord) => [
      ...offers,
      ...(await this.offersFor(host.id)),
    ]);
  }

  private async offersFor(hostId: number): Promise<RenewalOffer[]> {
    const planId = await this.orders.planOf(hostId);
    const plan = planId === null ? null : await this.plans.find(planId);
    if (!plan) return [];
    return Object.values(PERIODS).map((months) => ({ months, amount: plan.priceMonth * months, name: plan.name.slice(0, 80) }));
  }
}

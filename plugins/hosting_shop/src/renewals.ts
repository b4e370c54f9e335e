import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type HostRecord, type RenewalOffer, type SvcFacade } from '@svc/sdk';

import { productOf } from './coupon-prices.js';
import { chosenFrom, extrasPrice } from './extra-terms.js';
import { Extras } from './extras.js';
import { isPeriod, PERIODS } from './periods.js';
import { Plans } from './plans.js';
import { ShopOrders } from './shop-orders.js';

/**
 * Offers the hosts the shop has opened to be renewed for the times their plan is sold for, at the price plan and options have now; one that is not sold
 * any more too. What costs nothing is not renewed by an order.
 */
@Injectable()
export class Renewals implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Extras) private readonly extras: Extras,
  ) {}

  onModuleInit(): void {
    this.svc.svc_add_filter('host.renewal.offers', async (offers: RenewalOffer[], host: HostRecord) => [
      ...offers,
      ...(await this.offersFor(host.id)),
    ]);
  }

  private async offersFor(hostId: number): Promise<RenewalOffer[]> {
    const purchase = await this.orders.ofHost(hostId);
    const plan = purchase && (await this.plans.find(Number(purchase.plan_id)));
    if (!plan) return [];
    const chosen = chosenFrom(purchase.extras);
    const extras = chosen.length > 0 ? await this.extras.of(plan.id) : [];
    const offers: RenewalOffer[] = [];
    for (const [period, price] of Object.entries(plan.prices)) {
      if (!isPeriod(period)) continue;
      const more = extrasPrice(extras, chosen, period);
      if (more === undefined || price + more < 1) continue;
      offers.push({ months: PERIODS[period], amount: price + more, name: plan.name.slice(0, 80), product: productOf(plan.id) });
    }
    return offers;
  }
}

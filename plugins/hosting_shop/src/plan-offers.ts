import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SVC_FACADE, type HostRecord, type PackageOffer, type RenewalOffer, type SvcFacade } from '@svc/sdk';

import { EffectiveLimits } from './effective-limits.js';
import { extrasPrice, withExtras, type ChosenExtras } from './extra-terms.js';
import { Extras } from './extras.js';
import { packageKey, packageOf, planOfKey } from './package-keys.js';
import { productOf } from './coupon-prices.js';
import { isPeriod, PERIODS } from './periods.js';
import { stockLeft, type Plan } from './plan-terms.js';
import { Plans } from './plans.js';
import { Seats } from './seats.js';
import { ShopOrders } from './shop-orders.js';

/** A period and its price, in fen. */
interface TimePrice {
  readonly months: number;
  readonly amount: number;
}

/**
 * Offers renewals and package changes for hosts. Renewals keep the package, for the periods and at the current prices of its plan and
 * options, even if the plan is no longer on sale; changes are offered to plans on sale on the host's server with stock left, also for this
 * customer.
 */
@Injectable()
export class PlanOffers implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Extras) private readonly extras: Extras,
    @Inject(Seats) private readonly seats: Seats,
    @Inject(EffectiveLimits) private readonly limits: EffectiveLimits,
  ) {}

  onModuleInit(): void {
    const { svc } = this;
    svc.svc_add_filter('host.renewal.offers', async (offers: RenewalOffer[], host: HostRecord) => [
      ...offers,
      ...(await this.renewals(host)),
    ]);
    svc.svc_add_filter('host.package.offers', async (offers: PackageOffer[], host: HostRecord) => [
      ...offers,
      ...(await this.packages(host)),
    ]);
  }

  private async renewals(host: HostRecord): Promise<RenewalOffer[]> {
    // A host sold before packages existed has the package of its purchase.
    const purchase = host.package === null ? await this.orders.ofHost(host.id) : null;
    const key = purchase ? packageOf(purchase) : host.package;
    const is = planOfKey(key);
    const plan = is && (await this.plans.find(is.planId));
    if (!plan) return [];
    const offers = (await this.pricesOf(plan, is.chosen)).filter(({ amount }) => amount > 0 || plan.free);
    return offers.map((price) => ({ ...price, name: plan.name.slice(0, 80), package: key!, product: productOf(plan.id) }));
  }

  private async packages(host: HostRecord): Promise<PackageOffer[]> {
    const is = planOfKey(host.package);
    // Hosts sold by another plugin are left to it.
    if (host.package !== null && !is) return [];
    const present = is && (await this.plans.find(is.planId));
    const offers = present ? [await this.offerOf(present, is.chosen)] : [];
    const servers = await this.limits.servers();
    for (const plan of await this.plans.onSale()) {
      if (!servers.isOn(plan, host.node) || stockLeft(plan) === 0 || (plan.id !== is?.planId && (await this.seats.isFull(plan, host))))
        continue;
      offers.push(await this.offerOf(plan, []));
    }
    return offers.filter(({ prices }) => prices.length > 0);
  }

  private async offerOf(plan: Plan, chosen: ChosenExtras): Promise<PackageOffer> {
    const { webMb, databaseMb, trafficGb, domains } = withExtras(plan, chosen);
    const { monitors, backups } = plan;
    return {
      package: packageKey(plan.id, chosen),
      name: plan.name.slice(0, 80),
      prices: await this.pricesOf(plan, chosen),
      limits: { webMb, databaseMb, trafficGb, domains, monitors, backups },
      product: productOf(plan.id),
    };
  }

  /** Prices for the periods in which plan and options are all sold. */
  private async pricesOf(plan: Plan, chosen: ChosenExtras): Promise<TimePrice[]> {
    const extras = chosen.length > 0 ? await this.extras.of(plan.id) : [];
    const prices: TimePrice[] = [];
    for (const [period, price] of Object.entries(plan.prices)) {
      if (!isPeriod(period)) continue;
      const more = extrasPrice(extras, chosen, period);
      if (more !== undefined) prices.push({ months: PERIODS[period], amount: price + more });
    }
    return prices;
  }
}

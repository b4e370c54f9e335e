import { Injectable } from '@nestjs/common';

import { translate, type Locale } from '../common/index.js';
import { codeOf } from '../coupons/index.js';
import { HostingService } from '../hosting/index.js';
import { PackageRenewals, type RenewedPackage } from '../packages/index.js';
import { OrderLimits, OrderPlacing, type Order } from '../payment/index.js';
import type { HostRecord } from '../sdk/index.js';

import { RenewalError } from './errors.js';
import { FreeRenewals } from './free-renewals.js';
import { RenewalOffers, type DatedOffer } from './renewal-offers.js';

/** Scene of renewal orders. */
export const RENEWAL_SCENE = 'xf';
/** Maximum length of an order's name. */
const MAX_NAME = 127;

/** Context of an order of {@link RENEWAL_SCENE}. */
export interface RenewalContext {
  readonly renewal: { readonly host: number; readonly months: number } & RenewedPackage;
}

/** A requested renewal. */
export interface RenewalRequest {
  readonly hostId: number;
  readonly months: number;
  /** Price in fen; defaults to the offer's. */
  readonly amount?: number;
  /** Coupon code as entered. */
  readonly coupon?: string;
  /** Idempotency key including its owner: a repeated request returns the same order. */
  readonly request?: string;
  readonly ip: string;
}

/** Result of a request: an order to pay, or a host that was renewed because it is free. */
export type RenewalPlaced = { readonly order: Order } | { readonly renewed: { readonly host: HostRecord; readonly until: string } };

/** Orders that renew hosts. The price is that of the current offer, or set by an administrator. */
@Injectable()
export class RenewalOrders {
  constructor(
    private readonly hosting: HostingService,
    private readonly offers: RenewalOffers,
    private readonly placing: OrderPlacing,
    private readonly limits: OrderLimits,
    private readonly packages: PackageRenewals,
    private readonly free: FreeRenewals,
  ) {}

  /**
   * Renews free hosts immediately, and creates an order for others.
   *
   * @param source who renews: `user` or `admin`
   * @throws what {@link create} throws; RenewalError TOO_EARLY
   */
  async place(request: RenewalRequest, source: string, locale: Locale): Promise<RenewalPlaced> {
    const { hostId, months, amount } = request;
    const host = await this.renewable(hostId);
    const offer = (await this.offers.of(host)).find((one) => one.months === months);
    if (amount !== undefined || offer?.amount !== 0) return { order: await this.create(request, locale) };
    const packages = await this.packageOf(host, offer);
    return { renewed: { host, until: await this.free.renew({ host, months, packages, source }) } };
  }

  /** @throws RenewalError HOST_MISSING, NEVER_EXPIRES, NOT_OFFERED, REQUEST_DIFFERS; PaymentError TOO_MANY_UNPAID; CouponError */
  private async create({ hostId, months, amount, coupon = '', request, ip }: RenewalRequest, locale: Locale): Promise<Order> {
    const host = await this.renewable(hostId);
    const offer = (await this.offers.of(host)).find((one) => one.months === months);
    const price = amount ?? offer?.amount;
    if (price === undefined) throw new RenewalError('NOT_OFFERED', {}, { zq: 'renewal.not_offered' });
    await this.limits.take({ user: host.user, ip });
    const context: RenewalContext = { renewal: { host: host.id, months, ...(await this.packageOf(host, offer)) } };
    const order = await this.placing.place({
      user: host.user,
      owner: { account: host.id },
      scene: RENEWAL_SCENE,
      name: nameOf(host, offer?.name ?? '', months, locale),
      amount: price,
      coupon,
      ...(offer?.product === undefined ? {} : { product: offer.product }),
      context: { ...context },
      ip,
      ...(request ? { requestKey: `${RENEWAL_SCENE}:${request}` } : {}),
    });
    const before = renewalOf(order.context);
    const isOther = before?.host !== host.id || before.months !== months || (order.coupon ?? '') !== codeOf(coupon);
    if (isOther || (amount !== undefined && order.amount !== amount)) throw new RenewalError('REQUEST_DIFFERS');
    return order;
  }

  /** Returns the package before and after: a planned change takes effect with the renewal. */
  private async packageOf(host: HostRecord, offer: DatedOffer | undefined): Promise<RenewedPackage> {
    const { package: as, planned } = await this.packages.of(host);
    return { from: host.package, to: offer?.package ?? as, ...(planned ? { limits: planned.limits } : {}) };
  }

  /** @throws RenewalError HOST_MISSING, NEVER_EXPIRES */
  async renewable(id: number): Promise<HostRecord> {
    const host = await this.hosting.get(id);
    if (!host) throw new RenewalError('HOST_MISSING');
    if (host.expiresOn === null) throw new RenewalError('NEVER_EXPIRES');
    return host;
  }
}

/** Returns what an order renews; null if it renews nothing, such as a plugin's order in the same scene. */
export function renewalOf(context: unknown): RenewalContext['renewal'] | null {
  const renewal = ((context as Partial<RenewalContext> | null)?.renewal ?? {}) as Record<string, unknown>;
  const { host, months } = renewal;
  const isOne = Number.isInteger(host) && Number.isInteger(months) && (months as number) > 0;
  return isOne ? (renewal as unknown as RenewalContext['renewal']) : null;
}

function nameOf({ user }: HostRecord, plan: string, months: number, locale: Locale): string {
  const key = plan ? 'renewal.order_name' : 'renewal.order_name_plain';
  return Array.from(translate(locale, key, { user, plan, n: months }))
    .slice(0, MAX_NAME)
    .join('');
}

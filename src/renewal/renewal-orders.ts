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

/** Scene of the orders that renew a host. */
export const RENEWAL_SCENE = 'xf';
/** Of an order's name. */
const MAX_NAME = 127;

/** What an order of {@link RENEWAL_SCENE} keeps in its context. */
export interface RenewalContext {
  readonly renewal: { readonly host: number; readonly months: number } & RenewedPackage;
}

/** A renewal that is ordered. */
export interface RenewalRequest {
  readonly hostId: number;
  readonly months: number;
  /** Fen; without one the price is the offer's. */
  readonly amount?: number;
  /** As the buyer typed it. */
  readonly coupon?: string;
  /** Whose request it is, and his own id of it: the same again answers the same order. */
  readonly request?: string;
  readonly ip: string;
}

/** What came of it: an order that is to be paid, or a host that is renewed because it costs nothing. */
export type RenewalPlaced = { readonly order: Order } | { readonly renewed: { readonly host: HostRecord; readonly until: string } };

/** Orders that renew hosts. The price is the offer's of this very moment, or one an administrator names. */
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
   * Renews at once what costs nothing, and makes an order of anything else.
   *
   * @param source who does it: `user` or `admin`
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

  /** The package it is of before and after: a change that is planned is made with the renewal. */
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

/** What an order renews; null for one that renews nothing, such as one a plugin made under the same scene. */
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

import { Injectable } from '@nestjs/common';

import { toYuan, translate, type Locale } from '../common/index.js';
import { codeOf, refusal } from '../coupons/index.js';
import { OrderLimits, OrderPlacing, Orders, type Order } from '../payment/index.js';
import type { HostRecord } from '../sdk/index.js';

import { CouponChanges } from './coupon-changes.js';
import { PackageError } from './errors.js';
import { tooMuchText } from './package-fit.js';
import { PackageChanges, type Changeable, type QuotedChange } from './package-changes.js';
import { limitsOf } from './package-offers.js';
import { CHANGE_SCENE, changeOfOrder, type ChangeContext } from './package-order-context.js';
import { PlannedPackages } from './planned-packages.js';

/** Maximum length of an order's name. */
const MAX_NAME = 127;

/** A requested package change. */
export interface ChangeRequest {
  readonly hostId: number;
  /** Key of the package. */
  readonly to: string;
  /** Agreed amount in fen; by default the price is computed. */
  readonly amount?: number;
  /** Price in fen shown on the page, including the coupon; the request is rejected if it changed. */
  readonly seen?: number;
  /** Coupon as entered; reduces the amount due now. */
  readonly coupon?: string;
  /** Idempotency key (user and their request id): repeating it returns the same order. */
  readonly request?: string;
  readonly ip: string;
}

/** Result: an order to be paid, or a change planned for the renewal. */
export type ChangePlaced = { readonly order: Order } | { readonly planned: { readonly host: HostRecord; readonly name: string } };

/** Package changes, ordered now or planned for the next renewal. */
@Injectable()
export class PackageOrders {
  constructor(
    private readonly changes: PackageChanges,
    private readonly planned: PlannedPackages,
    private readonly coupons: CouponChanges,
    private readonly orders: Orders,
    private readonly placing: OrderPlacing,
    private readonly limits: OrderLimits,
  ) {}

  /**
   * Orders or plans a change.
   *
   * @throws PackageError HOST_MISSING, NO_PACKAGE, NEVER_EXPIRES, STANDS_STILL, SAME_PACKAGE, NOT_OFFERED, DOES_NOT_FIT, NOTHING_TO_PAY,
   *   PRICE_CHANGED, REQUEST_DIFFERS; PaymentError TOO_MANY_UNPAID; CouponError
   */
  async place(request: ChangeRequest, locale: Locale): Promise<ChangePlaced> {
    const subject = await this.changes.of(request.hostId);
    const quote = await this.changes.find(subject, request.to);
    if (quote.tooMuch.length > 0) throw new PackageError('DOES_NOT_FIT', { what: quote.tooMuch.map(tooMuchText) });
    return quote.change.when === 'now'
      ? { order: await this.order(request, subject, quote, quote.change.amount, locale) }
      : { planned: await this.plan(request, subject, quote) };
  }

  private async order(request: ChangeRequest, subject: Changeable, quote: QuotedChange, computed: number, locale: Locale): Promise<Order> {
    const { host } = subject;
    const { coupon = '' } = request;
    const requestKey = request.request ? `${CHANGE_SCENE}:${request.request}` : undefined;
    await this.checkSeen(request, subject, quote, { computed, requestKey });
    await this.limits.take({ user: host.user, ip: request.ip });
    const { package: to, name } = quote.offer;
    const context: ChangeContext = {
      change: { host: host.id, from: host.package, to, limits: limitsOf(quote.offer), until: host.expiresOn },
    };
    const order = await this.placing.place({
      user: host.user,
      owner: { account: host.id },
      scene: CHANGE_SCENE,
      name: nameOf(host.user, subject.present?.name ?? '', name, locale),
      amount: request.amount ?? computed,
      coupon,
      ...(quote.offer.product === undefined ? {} : { product: quote.offer.product }),
      context: { ...context },
      ip: request.ip,
      ...(requestKey === undefined ? {} : { requestKey }),
    });
    const made = changeOfOrder(order.context);
    const isOther = made?.host !== host.id || made.to !== to || (order.coupon ?? '') !== codeOf(coupon);
    if (isOther || (request.amount !== undefined && order.amount !== request.amount)) throw new PackageError('REQUEST_DIFFERS');
    return order;
  }

  /** Checks the price shown; a repeated request keeps its earlier price. @throws PackageError PRICE_CHANGED; CouponError */
  private async checkSeen(
    { seen, coupon = '' }: ChangeRequest,
    subject: Changeable,
    quote: QuotedChange,
    { computed, requestKey }: { computed: number; requestKey: string | undefined },
  ): Promise<void> {
    if (seen === undefined || (await this.orders.ofRequest(requestKey))) return;
    const discount = await this.coupons.discountOf(subject, quote, coupon).catch(async (error: unknown) => {
      // On a double click, the first request has already used the coupon.
      if (await this.orders.ofRequest(requestKey)) return null;
      throw error;
    });
    const rmb = toYuan(computed - (discount ?? 0));
    if (discount !== null && rmb !== toYuan(seen)) throw new PackageError('PRICE_CHANGED', { rmb }, { rmb: 'packages.price_changed' });
  }

  private async plan(
    { amount, coupon = '' }: ChangeRequest,
    { host }: Changeable,
    { offer }: QuotedChange,
  ): Promise<{ host: HostRecord; name: string }> {
    if (amount !== undefined) throw new PackageError('NOTHING_TO_PAY', {}, { rmb: 'packages.nothing_to_pay' });
    if (coupon !== '') throw refusal('COUPON_LATER');
    await this.planned.plan({
      hostId: host.id,
      fromPackage: host.package,
      toPackage: offer.package,
      name: offer.name,
      limits: limitsOf(offer),
    });
    return { host, name: offer.name };
  }
}

function nameOf(user: string, from: string, to: string, locale: Locale): string {
  const key = from ? 'packages.order_name' : 'packages.order_name_plain';
  return Array.from(translate(locale, key, { user, from, to }))
    .slice(0, MAX_NAME)
    .join('');
}

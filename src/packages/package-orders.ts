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

/** Of an order's name. */
const MAX_NAME = 127;

/** A change of package somebody wants. */
export interface ChangeRequest {
  readonly hostId: number;
  /** Key of the package. */
  readonly to: string;
  /** Fen, as somebody agreed on; without one the price is computed. */
  readonly amount?: number;
  /** Fen, as the page showed it, with the coupon; another price now is refused. */
  readonly seen?: number;
  /** As it was typed; it takes something off what is to be paid now. */
  readonly coupon?: string;
  /** Whose request it is, and his own id of it: the same again answers the same order. */
  readonly request?: string;
  readonly ip: string;
}

/** What came of it: an order that is to be paid, or a change that waits for the renewal. */
export type ChangePlaced = { readonly order: Order } | { readonly planned: { readonly host: HostRecord; readonly name: string } };

/** Changes of package that are ordered, or planned for the next renewal. */
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
   * @throws PackageError HOST_MISSING, NO_PACKAGE, NEVER_EXPIRES, STANDS_STILL, SAME_PACKAGE, NOT_OFFERED, DOES_NOT_FIT, NOTHING_TO_PAY,
   * PRICE_CHANGED, REQUEST_DIFFERS; PaymentError TOO_MANY_UNPAID; CouponError
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

  /** What a request has ordered before keeps its price. @throws PackageError PRICE_CHANGED; CouponError */
  private async checkSeen(
    { seen, coupon = '' }: ChangeRequest,
    subject: Changeable,
    quote: QuotedChange,
    { computed, requestKey }: { computed: number; requestKey: string | undefined },
  ): Promise<void> {
    if (seen === undefined || (await this.orders.ofRequest(requestKey))) return;
    const discount = await this.coupons.discountOf(subject, quote, coupon).catch(async (error: unknown) => {
      // The same button, pressed twice: whoever was first has taken the coupon.
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

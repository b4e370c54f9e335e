import { randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { CustomersService, type CallContext, type CustomerRecord } from '@svc/sdk';

import { CouponPrices, type CouponQuote } from './coupon-prices.js';
import { effective, EffectiveLimits, type Ineffective } from './effective-limits.js';
import { type Extra } from './extra-terms.js';
import { Extras } from './extras.js';
import { PERIOD_NAMES } from './periods.js';
import type { Plan } from './plan-terms.js';
import { Plans } from './plans.js';
import { quote, type CartFields, type Problem, type Quote } from './quote.js';

/** A problem with an order. */
export interface Refused {
  readonly field: string;
  readonly message: string;
}

/** A plan in a cart. */
export interface Cart {
  readonly plan: Plan;
  readonly extras: readonly Extra[];
  /** Limits of the plan that its server does not enforce; undefined if no host can be opened on it. */
  readonly ineffective: Ineffective | undefined;
  readonly quote: Quote | Refused;
  /** Whether the coupon's discount is known only when ordering; `quote` excludes it then. */
  readonly couponIsOpen: boolean;
  readonly asksForEmail: boolean;
  /** The signed-in customer; null for an order without an account. */
  readonly customer: CustomerRecord | null;
}

/** Cookie that identifies a browser's cart. */
const CART_COOKIE = 'shop_cart';

/** Carts of one plan: selected options and current price. */
@Injectable()
export class Carts {
  constructor(
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Extras) private readonly extras: Extras,
    @Inject(EffectiveLimits) private readonly limits: EffectiveLimits,
    @Inject(CouponPrices) private readonly coupons: CouponPrices,
  ) {}

  /** Returns the cart of a plan on sale with its current price; null for any other plan. */
  async of(planId: string | undefined, fields: CartFields, ctx: CallContext): Promise<Cart | null> {
    const plan = await this.plans.findOnSale(planId);
    if (!plan) return null;
    const servers = await this.limits.servers();
    const extras = effective(await this.extras.of(plan.id), servers.untold(plan));
    const period = fields.period ?? PERIOD_NAMES.find((name) => plan.prices[name] !== undefined) ?? '';
    const found = quote(plan, extras, { ...fields, period });
    const customer = await this.customers.current(ctx);
    const coupon = (fields.yhq ?? '').trim().slice(0, 64);
    const priced = 'key' in found ? refused(ctx, found) : await this.coupons.of(found, coupon, customer?.id ?? null, ctx);
    return {
      plan,
      extras,
      ineffective: servers.ineffective(plan),
      quote: 'quote' in priced ? toQuote(priced) : priced,
      couponIsOpen: 'quote' in priced && priced.isOpen,
      // A signed-in customer's address is known.
      asksForEmail: customer === null && (plan.perCustomer > 0 || plan.free || period === 'trial'),
      customer,
    };
  }
}

/**
 * Whether the signed-in customer is the one shown on the page: if the session ended in between, the order must not be attributed to nobody
 * or to another customer.
 */
export function isOrderOf(customer: CustomerRecord | null, { ordering_as: named = '' }: CartFields): boolean {
  return named === '' || customer?.username === named;
}

/** Returns the header that assigns a cart to a new browser, so that ordering again after going back is recognized as the same order. */
export function cartHeaders(ctx: CallContext): Record<string, string> {
  if (isCart(ctx.cookies[CART_COOKIE])) return {};
  const secure = ctx.baseUrl.startsWith('https:') ? '; Secure' : '';
  return { 'Set-Cookie': `${CART_COOKIE}=${randomBytes(16).toString('hex')}; Path=/shop; HttpOnly; SameSite=Lax; Max-Age=86400${secure}` };
}

/** Returns the browser's cart, or the request id of a program. */
export function cartOf(fields: CartFields, ctx: CallContext): string | null {
  const request = fields.request ?? '';
  if (/^[\x21-\x7e]{8,64}$/.test(request)) return `r:${request}`;
  const cookie = ctx.cookies[CART_COOKIE];
  return isCart(cookie) ? `c:${cookie}` : null;
}

function isCart(text: string | undefined): boolean {
  return /^[0-9a-f]{32}$/.test(text ?? '');
}

/** A rejected coupon blocks the order, unless only the order can decide. */
function toQuote({ quote: priced, refused: why, isOpen }: CouponQuote): Quote | Refused {
  return why === '' || isOpen ? priced : { field: 'yhq', message: why };
}

function refused(ctx: CallContext, { field, key, params }: Problem): Refused {
  return { field, message: ctx.t(key, params) };
}

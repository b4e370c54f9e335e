import { randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { CustomersService, HostsService, SVC_FACADE, type CallContext, type CustomerRecord, type SvcFacade } from '@svc/sdk';

import { Checkout, type NewPurchase, type Placed } from './checkout.js';
import { effective, EffectiveLimits, type Ineffective } from './effective-limits.js';
import { type Extra } from './extra-terms.js';
import { Extras } from './extras.js';
import { PERIOD_NAMES } from './periods.js';
import type { Plan } from './plan-terms.js';
import { Plans } from './plans.js';
import { Provisioning } from './provisioning.js';
import { quote, type CartFields, type Problem, type Quote } from './quote.js';
import { NoneLeft } from './shares.js';
import { ShopOrders } from './shop-orders.js';

/** What is wrong with an order. */
export interface Refused {
  readonly field: string;
  readonly message: string;
}

/** A plan as somebody sees its cart. */
export interface Cart {
  readonly plan: Plan;
  readonly extras: readonly Extra[];
  /** Limits of the plan that its server keeps without effect. */
  readonly ineffective: Ineffective;
  readonly quote: Quote | Refused;
  readonly asksForEmail: boolean;
  /** Who is signed in as a customer; null: it is ordered without an account. */
  readonly customer: CustomerRecord | null;
}

const USERNAME = /^[a-z0-9][a-z0-9_-]{5,31}$/i;
/** What the panel takes when the account is opened, and at least eight: after the payment it would be too late to say no. */
const PASSWORD = /^[^\p{Cc}\uFFFD]{8,64}$/u;
const EMAIL = /^[^\s@<>"'(),:;[\]\\]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;
const MAX_ORDER_NAME = 127;
/** Cookie that names a browser's cart. */
const CART_COOKIE = 'shop_cart';

/** Checks what somebody orders, and has it written. */
@Injectable()
export class Ordering {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(HostsService) private readonly hosts: HostsService,
    @Inject(CustomersService) private readonly customers: CustomersService,
    @Inject(Plans) private readonly plans: Plans,
    @Inject(Extras) private readonly extras: Extras,
    @Inject(ShopOrders) private readonly orders: ShopOrders,
    @Inject(Checkout) private readonly checkout: Checkout,
    @Inject(Provisioning) private readonly provisioning: Provisioning,
    @Inject(EffectiveLimits) private readonly limits: EffectiveLimits,
  ) {}

  /** The cart of a plan that is on sale, with what it costs now; null for one that is not. */
  async cart(planId: string | undefined, fields: CartFields, ctx: CallContext): Promise<Cart | null> {
    const plan = await this.plans.findOnSale(planId);
    if (!plan) return null;
    const ineffective = (await this.limits.ineffective())(plan);
    const extras = effective(await this.extras.of(plan.id), ineffective);
    const period = fields.period ?? PERIOD_NAMES.find((name) => plan.prices[name] !== undefined) ?? '';
    const found = quote(plan, extras, { ...fields, period });
    const customer = await this.customers.current(ctx);
    return {
      plan,
      extras,
      ineffective,
      quote: 'key' in found ? refused(ctx, found) : found,
      // Who has signed in is known.
      asksForEmail: customer === null && (plan.perCustomer > 0 || plan.free || period === 'trial'),
      customer,
    };
  }

  /** Checks the form and writes the order; `{field, message}` says what is wrong. */
  async place(fields: CartFields, ctx: CallContext): Promise<Refused | Placed> {
    const refuse = (field: string, key: string): Refused => ({ field, message: ctx.t(key) });
    const cart = await this.cart(fields.plan_id, { ...fields, period: fields.period ?? '' }, ctx);
    if (!cart) return refuse('plan_id', 'plan_gone');
    const { plan, quote: wanted } = cart;
    if ('message' in wanted) return wanted;
    const username = (fields.username ?? '').trim();
    const password = fields.password ?? '';
    if (!USERNAME.test(username)) return refuse('username', 'bad_username');
    if (!PASSWORD.test(password)) return refuse('password', 'bad_password');
    const email = (fields.email ?? '').trim().toLowerCase();
    if (cart.asksForEmail ? !EMAIL.test(email) : email !== '' && !EMAIL.test(email)) return refuse('email', 'bad_email');
    const type = fields.type ?? '';
    if (type !== '' && !(await this.isOffered(type))) return refuse('type', 'bad_method');
    if (!(await this.hosts.nodes()).some((node) => node.code === plan.node)) return refuse('plan_id', 'no_node');
    const message = await this.nameProblem(username, ctx);
    if (message) return { field: 'username', message };
    const seen = fields.seen_total ?? '';
    if (seen !== '' && seen !== String(wanted.total)) return refuse('seen_total', 'price_changed');
    const customerId = cart.customer?.id ?? null;
    return this.write(
      wanted,
      { username, password, email: plainEmail(email), customerId, type: type || undefined },
      cartOf(fields, ctx),
      ctx,
    );
  }

  /** What is wrong with an account name; empty when it may be had. */
  async nameProblem(username: string, ctx: CallContext): Promise<string> {
    if (!USERNAME.test(username)) return ctx.t('bad_username');
    return (await this.hosts.get(username)) || (await this.orders.isNameWanted(username)) ? ctx.t('name_taken') : '';
  }

  private async write(
    wanted: Quote,
    buyer: Pick<NewPurchase, 'username' | 'password' | 'email' | 'customerId' | 'type'>,
    cart: string | null,
    ctx: CallContext,
  ): Promise<Refused | Placed> {
    const period = wanted.period === null ? '' : ctx.t(`period_${wanted.period}`);
    const name = ctx.t('order_name', { plan: wanted.plan.name, period });
    try {
      const placed = await this.checkout.place({
        quote: wanted,
        name: firstCharacters(name, MAX_ORDER_NAME),
        ...buyer,
        cart,
        ip: ctx.ip,
      });
      if (wanted.total === 0) await this.provisioning.openFree(placed.orderNo);
      return placed;
    } catch (error) {
      if (error instanceof NoneLeft) return { field: 'plan_id', message: ctx.t(error.key) };
      if (error instanceof Error && 'code' in error && error.code === 'TOO_MANY_UNPAID')
        return { field: 'username', message: ctx.t('too_many_unpaid') };
      throw error;
    }
  }

  /** Whether buyers can choose this payment method now. */
  private async isOffered(type: string): Promise<boolean> {
    return (await this.svc.svc_get_enabled_payment_methods()).some(({ plugin, method }) => this.svc.svc_pay_type(plugin, method) === type);
  }
}

/** The header that gives a browser a cart of its own, where it has none; what it orders again by going back is then the same order. */
export function cartHeaders(ctx: CallContext): Record<string, string> {
  if (isCart(ctx.cookies[CART_COOKIE])) return {};
  const secure = ctx.baseUrl.startsWith('https:') ? '; Secure' : '';
  return { 'Set-Cookie': `${CART_COOKIE}=${randomBytes(16).toString('hex')}; Path=/shop; HttpOnly; SameSite=Lax; Max-Age=86400${secure}` };
}

/** The browser's cart, or the request a program names. */
function cartOf(fields: CartFields, ctx: CallContext): string | null {
  const request = fields.request ?? '';
  if (/^[\x21-\x7e]{8,64}$/.test(request)) return `r:${request}`;
  const cookie = ctx.cookies[CART_COOKIE];
  return isCart(cookie) ? `c:${cookie}` : null;
}

function isCart(text: string | undefined): boolean {
  return /^[0-9a-f]{32}$/.test(text ?? '');
}

/** Without what most providers ignore in the name of a mailbox: one mailbox is one customer. */
function plainEmail(email: string): string {
  const [mailbox = '', domain = ''] = email.split('@');
  return email === '' ? '' : `${mailbox.split('+')[0]}@${domain}`;
}

function refused(ctx: CallContext, { field, key, params }: Problem): Refused {
  return { field, message: ctx.t(key, params) };
}

/** Cut by characters, as the panel counts them, never in the middle of one. */
function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}

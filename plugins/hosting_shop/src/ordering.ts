import { Inject, Injectable } from '@nestjs/common';
import { SVC_FACADE, type CallContext, type SvcFacade } from '@svc/sdk';

import { AccountNames } from './account-names.js';
import { cartOf, Carts, isOrderOf, type Refused } from './carts.js';
import { Checkout, PriceChanged, type NewPurchase, type Placed } from './checkout.js';
import { CouponPrices } from './coupon-prices.js';
import { Provisioning } from './provisioning.js';
import type { CartFields, Quote } from './quote.js';
import { NoneLeft } from './shares.js';

/** The panel's rule for a new account's password, with at least eight characters: after the payment it is too late to reject it. */
const PASSWORD = /^[^\p{Cc}\uFFFD]{8,64}$/u;
const EMAIL = /^[^\s@<>"'(),:;[\]\\]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/;
const MAX_ORDER_NAME = 127;

/** Validates orders and creates them. */
@Injectable()
export class Ordering {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(Carts) private readonly carts: Carts,
    @Inject(AccountNames) private readonly names: AccountNames,
    @Inject(Checkout) private readonly checkout: Checkout,
    @Inject(Provisioning) private readonly provisioning: Provisioning,
    @Inject(CouponPrices) private readonly coupons: CouponPrices,
  ) {}

  /** Validates the form and creates the order; `{field, message}` describes an error. */
  async place(fields: CartFields, ctx: CallContext): Promise<Refused | Placed> {
    const refuse = (field: string, key: string): Refused => ({ field, message: ctx.t(key) });
    const cart = await this.carts.of(fields.plan_id, { ...fields, period: fields.period ?? '' }, ctx);
    if (!cart) return refuse('plan_id', 'plan_gone');
    if (!isOrderOf(cart.customer, fields)) return refuse('ordering_as', 'signed_out');
    const { quote: wanted } = cart;
    if ('message' in wanted) return wanted;
    const username = (fields.username ?? '').trim();
    const password = fields.password ?? '';
    const malformed = this.names.formProblem(username, ctx);
    if (malformed) return { field: 'username', message: malformed };
    if (!PASSWORD.test(password)) return refuse('password', 'bad_password');
    const email = (fields.email ?? '').trim().toLowerCase();
    if (cart.asksForEmail ? !EMAIL.test(email) : email !== '' && !EMAIL.test(email)) return refuse('email', 'bad_email');
    const type = fields.type ?? '';
    if (type !== '' && !(await this.isOffered(type))) return refuse('type', 'bad_method');
    if (!cart.ineffective) return refuse('plan_id', 'no_node');
    const message = await this.names.problem(username, ctx);
    if (message) return { field: 'username', message };
    const seen = fields.seen_total ?? '';
    if (seen !== '' && seen !== String(wanted.total) && !cart.couponIsOpen) return refuse('seen_total', 'price_changed');
    const customerId = cart.customer?.id ?? null;
    return this.write(
      wanted,
      { username, password, email: plainEmail(email), customerId, type: type || undefined, seenTotal: seen },
      cartOf(fields, ctx),
      ctx,
    );
  }

  private async write(
    wanted: Quote,
    buyer: Pick<NewPurchase, 'username' | 'password' | 'email' | 'customerId' | 'type' | 'seenTotal'>,
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
      if (error instanceof PriceChanged) return { field: 'seen_total', message: ctx.t('price_changed') };
      if (error instanceof NoneLeft) return { field: 'plan_id', message: ctx.t(error.key) };
      if (error instanceof Error && 'code' in error && error.code === 'TOO_MANY_UNPAID')
        return { field: 'username', message: ctx.t('too_many_unpaid') };
      const problem = await this.couponProblem(error, wanted, buyer.customerId, ctx);
      if (problem) return problem;
      throw error;
    }
  }

  /** Handles a coupon whose last use was taken by another buyer, or that was changed at this moment. */
  private async couponProblem(error: unknown, wanted: Quote, customerId: number | null, ctx: CallContext): Promise<Refused | null> {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('COUPON_'))) return null;
    const full = { ...wanted, total: wanted.total + wanted.discount, discount: 0 };
    const { refused: why } = await this.coupons.of(full, wanted.coupon, customerId, ctx);
    return { field: 'yhq', message: why || ctx.t('price_changed') };
  }

  /** Whether buyers can currently choose this payment method. */
  private async isOffered(type: string): Promise<boolean> {
    return (await this.svc.svc_get_enabled_payment_methods()).some(({ plugin, method }) => this.svc.svc_pay_type(plugin, method) === type);
  }
}

/** Removes the part of a mailbox name that most providers ignore, so that one mailbox counts as one customer. */
function plainEmail(email: string): string {
  const [mailbox = '', domain = ''] = email.split('@');
  return email === '' ? '' : `${mailbox.split('+')[0]}@${domain}`;
}

/** Truncates by characters, as the panel counts them, without splitting one. */
function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}

import { createHash, randomBytes } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { OrdersService, SVC_FACADE, type PluginDatabase, type SvcFacade } from '@svc/sdk';

import { productOf } from './coupon-prices.js';
import { Credentials } from './credentials.js';
import { extrasText } from './extra-terms.js';
import { Holds } from './holds.js';
import { PERIODS, today } from './periods.js';
import type { Quote } from './quote.js';
import { SHOP_DATABASE } from './shop-database.js';
import { planShare, Shares, type Share } from './shares.js';
import { statusPath, type Purchase } from './shop-orders.js';
import { networkOf } from './network.js';

/** Free hosts and trials per network and day, for visitors without an account. */
const FREE_PER_NETWORK = 5;

/** A validated purchase. */
export interface NewPurchase {
  readonly quote: Quote;
  /** Name of the order, for display. */
  readonly name: string;
  readonly username: string;
  readonly password: string;
  /** Lower case; empty if not required. */
  readonly email: string;
  readonly customerId: number | null;
  /** Secret of the ordering browser or program: ordering the same cart again returns the same order. */
  readonly cart: string | null;
  readonly type?: string;
  /** Total shown to the buyer, in fen; empty if none was shown. */
  readonly seenTotal: string;
  readonly ip: string;
}

/** The coupon's discount differs from the one shown. */
export class PriceChanged extends Error {}

/** A created purchase. */
export interface Placed {
  readonly orderNo: string;
  /** Null if nothing is due. */
  readonly payUrl: string | null;
  readonly statusUrl: string;
}

/** Creates purchases: the panel's order, the reserved stock, and the shop's row, in one transaction. */
@Injectable()
export class Checkout {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SHOP_DATABASE) private readonly db: PluginDatabase,
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(Shares) private readonly shares: Shares,
    @Inject(Holds) private readonly holds: Holds,
  ) {}

  /** @throws NoneLeft; PriceChanged; an Error with a code `COUPON_…`; an Error with the code TOO_MANY_UNPAID */
  async place(purchase: NewPurchase): Promise<Placed> {
    const cart = purchase.cart === null ? null : digest([purchase.cart, purchase.quote.plan.id, purchase.username.toLowerCase()]);
    const key = cart === null ? null : this.credentials.fingerprint(JSON.stringify([cart, contents(purchase)]));
    const made = key === null ? null : await this.byRequest(key);
    if (made) return made;
    const shares = this.sharesOf(purchase);
    await this.shares.prepare(shares);
    try {
      return await this.db.transaction(async () => {
        if (cart !== null && key !== null) await this.holds.supersede(cart, key);
        await this.shares.take(purchase.quote.plan, shares);
        return this.write(purchase, cart, key, shares);
      });
    } catch (error) {
      // A concurrent duplicate request created it first.
      const first = key === null ? null : await this.byRequest(key);
      if (first) return first;
      throw error;
    }
  }

  private async write(purchase: NewPurchase, cart: string | null, key: string | null, shares: readonly Share[]): Promise<Placed> {
    const { quote, username, password, email, customerId, name, type, seenTotal, ip } = purchase;
    const full = quote.total + quote.discount;
    const viewKey = randomBytes(16).toString('hex');
    const kind: Purchase['kind'] = quote.period === null ? 'trial' : full === 0 ? 'free' : 'paid';
    const months = quote.period === null ? 0 : PERIODS[quote.period];
    const context = { plan_id: quote.plan.id, months, period: quote.period, username, done_url: statusPath(viewKey) };
    const order =
      kind === 'paid'
        ? await this.orders.create({
            user: username,
            scene: 'hosting',
            name,
            amount: full,
            coupon: quote.coupon,
            product: productOf(quote.plan.id),
            type,
            context,
            ip,
            ...(customerId === null ? {} : { owner: { customer: customerId } }),
          })
        : null;
    if (order && seenTotal !== '' && seenTotal !== String(order.amount)) throw new PriceChanged();
    // Not the key of the status page, since lists show this number.
    const orderNo = order?.ddh ?? `free-${randomBytes(8).toString('hex')}`;
    await this.db.run(
      `INSERT INTO {purchase} (order_no, kind, plan_id, plan_name, months, days, amount, setup_fee, extras, username, email, customer_id,
        sealed_password,
        view_key, cart, request_key, hold, shares, ordered_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'held', ?, ?)`,
      [
        orderNo,
        kind,
        quote.plan.id,
        quote.plan.name,
        months,
        kind === 'trial' ? quote.plan.trialDays : 0,
        order?.amount ?? 0,
        quote.setupFee,
        extrasText(quote.chosen),
        username,
        email,
        customerId,
        this.credentials.seal(password),
        viewKey,
        cart,
        key,
        JSON.stringify(shares.map((share) => share.name)),
        new Date().toISOString(),
      ],
    );
    // An order covered by its coupon is already paid.
    return { orderNo, payUrl: order?.status === 'unpaid' ? order.pay_url : null, statusUrl: statusPath(viewKey) };
  }

  /**
   * Returns the quotas a purchase counts against: the plan's limit per customer, one trial per customer, and free hosts per network and
   * day.
   */
  private sharesOf({ quote: { plan, period, total, discount }, customerId, email, ip }: NewPurchase): Share[] {
    const buyerKey = customerId === null ? `e:${email}` : `c:${customerId}`;
    const shares: Share[] = [];
    if (period === null) shares.push({ name: `trial:${buyerKey}`, max: 1, key: 'trial_used' });
    const ofPlan = planShare(plan.id, { customerId, email });
    if (plan.perCustomer > 0 && ofPlan) shares.push({ name: ofPlan, max: plan.perCustomer, key: 'too_many_of_plan' });
    if (total + discount === 0 && customerId === null) {
      const day = today(new Date(), this.svc.timezone);
      shares.push({ name: `free:${networkOf(ip)}:${day}`, max: FREE_PER_NETWORK, day, key: 'too_many_free' });
    }
    return shares;
  }

  private async byRequest(key: string): Promise<Placed | null> {
    const [row] = await this.db.query<Pick<Purchase, 'order_no' | 'view_key'>>(
      'SELECT order_no, view_key FROM {purchase} WHERE request_key = ?',
      [key],
    );
    if (!row) return null;
    const order = await this.orders.get(row.order_no);
    // Closed a moment ago and not yet released: the request now creates a new order.
    if (order?.status === 'closed') {
      await this.holds.release(row.order_no);
      return null;
    }
    return { orderNo: row.order_no, payUrl: order?.status === 'unpaid' ? order.pay_url : null, statusUrl: statusPath(row.view_key) };
  }
}

/** Content that distinguishes orders of the same cart. */
function contents({ quote, password, email, customerId, type }: NewPurchase): unknown[] {
  return [
    quote.period,
    quote.total + quote.discount,
    quote.coupon.toUpperCase(),
    extrasText(quote.chosen),
    password,
    email,
    customerId,
    type ?? '',
  ];
}

function digest(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

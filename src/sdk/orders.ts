/**
 * The order passed to a gateway's `build` and to listeners of `order.paid`. Source: docs/plugin-api.md "Payments".
 *
 * @example
 * ```ts
 * const yuan = (order: OrderRecord): string => `${order.name}: ${order.money}`;
 * svc.svc_add_action('order.paid', (order) => svc.log.info(yuan(order)));
 * ```
 * @since 1.84.0
 */
export interface OrderRecord {
  /** `SVC_dd.id`. */
  id: number;
  /** The order number sent to the gateway. */
  out_trade_no: string;
  /** The same number under its database column name. */
  ddh: string;
  /** What is bought, as shown on the gateway's checkout page. */
  name: string;
  /** Amount in major units (yuan) with the currency's decimals, such as `"12.50"`. */
  money: string;
  /** Amount in minor units (fen), such as `1250`. */
  amount: number;
  /** Payment type `{slug}__{method}`; for a paid order, the one it was paid with. */
  type: string;
  /** Purpose of the order: `[a-z0-9_]{1,32}`. */
  scene: string;
  /** Display name of the buyer, at most 64 characters; not an identity. */
  user: string;
  /** Base URL of this panel, without a trailing slash. */
  siteurl: string;
  /** URL that the gateway's server calls back. */
  notify_url: string;
  /** URL to which the gateway sends the buyer's browser. */
  return_url: string;
  /** The `context` given to `svc.orders.create`; stored with the order, so it survives restarts. */
  context: Readonly<Record<string, unknown>>;
}

/**
 * The owner of an order: a hosting account (`SVC_zj.id`), or a customer account of plugins (`SVC_plugin_user.id`).
 *
 * @example
 * ```ts
 * const owner: OrderOwner = { account: 7 };
 * await svc.orders.assign('20270131-1', owner);
 * ```
 * @since 1.84.0
 */
export type OrderOwner = { account: number } | { customer: number };

/**
 * The input of `svc.orders.create`.
 *
 * @example
 * ```ts
 * const context = { done_url: '/coupons/mine' };
 * const request: CreateOrderRequest = { user: 'alice01', scene: 'coupon', name: 'Coupon', amount: 990, context };
 * await svc.orders.create(request);
 * ```
 * @since 1.84.0
 */
export interface CreateOrderRequest {
  /** Display name of the buyer, at most 64 characters; need not be an account's name, and grants no ownership. */
  user: string;
  /**
   * Owner of the order, who sees it in their order list. Defaults to the account signed in on the user side in this request; null, or
   * nobody signed in: no owner until `svc.orders.assign`.
   */
  owner?: OrderOwner | null;
  /** Purpose of the order: `[a-z0-9_]{1,32}`. */
  scene: string;
  /** At most 127 characters. */
  name: string;
  /** Price before any coupon, in minor units (fen), 1 to 99,999,999,999. */
  amount: number;
  /**
   * The coupon code the buyer typed; empty or omitted: none. The panel computes the discount and stores it with the order, whose `amount`
   * is what remains to be paid. If nothing remains, the order is returned as paid, and `order.paid` follows.
   */
  coupon?: string;
  /**
   * The product bought, `<slug>:<id>` in at most 64 characters of `[A-Za-z0-9_.:-]`, such as `hosting_shop:3`: coupons may be limited to
   * it. Return the same products from the hook `order.products`.
   */
  product?: string;
  /** `{slug}__{method}`; omit it to let the buyer choose on the payment page. */
  type?: string;
  /** At most 16 KB of JSON, passed to the listeners of `order.paid`. */
  context?: Record<string, unknown>;
  ip?: string;
}

/**
 * A product with a stable id, to which coupons may be limited. See the hook `order.products`.
 *
 * @example
 * ```ts
 * const starter: OrderProduct = { id: 'hosting_shop:3', name: 'Starter' };
 * svc.svc_add_action('order.products', (products) => [...products, starter]);
 * ```
 * @since 1.84.0
 */
export interface OrderProduct {
  /** The same as `product` of {@link CreateOrderRequest}. */
  id: string;
  /** Name shown to the administrator who selects it. */
  name: string;
}

/**
 * The input of `svc.orders.price`.
 *
 * @example
 * ```ts
 * const asked: PriceRequest = { amount: 9_900, coupon: 'SPRING', product: 'hosting_shop:3', locale: 'en' };
 * const price = await svc.orders.price(asked);
 * ```
 * @since 1.84.0
 */
export interface PriceRequest extends Pick<CreateOrderRequest, 'amount' | 'coupon' | 'product' | 'owner'> {
  /** Language of the refusal's text; the installation's by default. */
  locale?: string;
}

/**
 * The price of an order. Amounts are in minor units (fen).
 *
 * @example
 * ```ts
 * const price: OrderPrice = await svc.orders.price({ amount: 9_900, coupon: 'SPRING' });
 * if (price.refused) svc.log.debug('no coupon', { why: price.refused.code });
 * ```
 * @since 1.84.0
 */
export interface OrderPrice {
  /** Price without the coupon. */
  original: number;
  /** Discount of the coupon. */
  discount: number;
  /** Amount to pay; 0 if the coupon covers everything. */
  amount: number;
  /** Why the coupon was rejected: a code, such as `COUPON_OVER`, and a text for the buyer; null if it applies or none was given. */
  refused: { code: string; text: string } | null;
}

/**
 * The state of an order.
 *
 * @example
 * ```ts
 * const open: readonly OrderStatus[] = ['unpaid'];
 * const order = await svc.orders.get('20270131-1');
 * if (order && open.includes(order.status)) svc.log.info('still to be paid', { url: order.pay_url });
 * ```
 * @since 1.84.0
 */
export type OrderStatus = 'unpaid' | 'paid' | 'closed' | 'refunded' | 'partly_refunded';

/**
 * What `svc.orders.get` returns.
 *
 * @example
 * ```ts
 * const order: OrderSummary | null = await svc.orders.get('20270131-1');
 * if (order?.status === 'paid') svc.log.info('paid', { at: order.paidAt });
 * ```
 * @since 1.84.0
 */
export interface OrderSummary extends OrderRecord {
  /** Code of the coupon used for the order; null: none. */
  coupon: string | null;
  /** Discount of the coupon, in minor units (fen); already subtracted from `amount`. */
  discount: number;
  status: OrderStatus;
  /** Owner of the order; null: none. */
  owner: OrderOwner | null;
  /** URL of the page where the buyer chooses a method and pays; contains the order's key. */
  pay_url: string;
  createdAt: string;
  paidAt: string | null;
}

/**
 * The query of `svc.orders.paid`.
 *
 * @example
 * ```ts
 * const query: PaidOrdersQuery = { scene: 'coupon', since: new Date(Date.now() - 86_400_000), limit: 500 };
 * for (const order of await svc.orders.paid(query)) svc.log.debug('to compare', { order: order.ddh });
 * ```
 * @since 1.84.0
 */
export interface PaidOrdersQuery {
  scene: string;
  /** Paid at or after this moment. */
  since: Date;
  /** The last order of the previous page. */
  after?: Pick<OrderSummary, 'id' | 'paidAt'>;
  /** Page size, 1 to 500; 100 by default. */
  limit?: number;
}

/**
 * Filters and paging for orders.
 *
 * @example
 * ```ts
 * const query: OrdersQuery = { scene: 'coupon', status: 'unpaid', since: new Date(Date.now() - 86_400_000) };
 * svc.log.info('unpaid since yesterday', { total: (await svc.orders.find(query)).total });
 * ```
 * @since 1.84.0
 */
export interface OrdersQuery {
  /** Part of a number, user or name. */
  text?: string;
  scene?: string;
  status?: OrderStatus;
  /** Only orders of this hosting account. */
  account?: number;
  /** Created at or after this moment. */
  since?: Date;
  /** Created before this moment. */
  until?: Date;
  /** Page number, starting at 1; 1 by default. */
  page?: number;
  /** Page size, 1 to 200; 50 by default. */
  limit?: number;
}

/**
 * Orders of `SVC_dd`. The class is also the injection token for Nest modules.
 *
 * @example
 * ```ts
 * const order = await svc.orders.create({ user: 'alice01', scene: 'coupon', name: 'Coupon', amount: 990 });
 * svc.log.info('pay here', { url: order.pay_url });
 * ```
 * @since 1.84.0
 */
export abstract class OrdersService {
  /**
   * Creates an unpaid order; one that its coupon covers completely is returned as paid. Joins the plugin's open transaction, if any.
   *
   * @throws Error with `code` `TOO_MANY_UNPAID` if the visitor of the current request has too many unpaid orders, `COUPON_…` for a coupon
   * that does not apply: use {@link price} to get that reason as text first
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/p/coupons/buy', async (_params, ctx) => {
   *   const sold = { scene: 'coupon', name: 'Coupon', amount: 990, product: 'coupons:1', context: { done_url: '/p/coupons/mine' } };
   *   const order = await svc.orders.create({ ...sold, user: ctx.user!.username, coupon: ctx.body.coupon, ip: ctx.ip });
   *   const next = order.status === 'paid' ? '/p/coupons/mine' : order.pay_url; // its coupon may pay all of it
   *   return { status: 303, headers: { Location: next }, body: '' };
   * }, 10, 'user', { rate: 'order' });
   * ```
   * @since 1.84.0
   */
  abstract create(request: CreateOrderRequest): Promise<OrderSummary>;
  /**
   * Returns the price of an order with a coupon, computed as in {@link create}; creates no order and does not use up the coupon.
   *
   * @example
   * ```ts
   * svc.svc_register_ajax('user', 'p_coupons_price', async ({ body, locale }) => {
   *   const { amount, refused } = await svc.orders.price({ amount: 9_900, coupon: body.coupon, product: 'coupons:1', locale });
   *   return refused ? { success: false, code: refused.text } : { success: true, code: moneyText(amount) };
   * }, 'user', { rate: 'read' });
   * ```
   * @since 1.84.0
   */
  abstract price(request: PriceRequest): Promise<OrderPrice>;
  /**
   * Returns the order by id or number; null if not found.
   *
   * @example
   * ```ts
   * const order = await svc.orders.get('20270131-1');
   * if (order?.status === 'unpaid') svc.log.info('still to be paid', { url: order.pay_url });
   * ```
   * @since 1.84.0
   */
  abstract get(idOrNumber: number | string): Promise<OrderSummary | null>;
  /**
   * Returns orders of all owners, newest first, and their total number.
   *
   * @example
   * ```ts
   * const since = new Date(Date.now() - 7 * 86_400_000);
   * const { total, orders } = await svc.orders.find({ scene: 'coupon', status: 'paid', since, limit: 200 });
   * svc.log.info('sold this week', { total, last: orders[0]?.ddh });
   * ```
   * @since 1.84.0
   */
  abstract find(query?: OrdersQuery): Promise<{ total: number; orders: OrderSummary[] }>;
  /**
   * Returns paid orders of a scene in order of payment, one page at a time; use it to compare payments with deliveries.
   *
   * @example
   * ```ts
   * const since = new Date(Date.now() - 86_400_000);
   * let after: OrderSummary | undefined;
   * do {
   *   const page = await svc.orders.paid({ scene: 'coupon', since, after, limit: 500 });
   *   for (const { ddh } of page) await svc.db.run('UPDATE {coupon} SET paid = 1 WHERE order_no = ?', [ddh]);
   *   after = page.at(-1);
   * } while (after);
   * ```
   * @since 1.84.0
   */
  abstract paid(query: PaidOrdersQuery): Promise<OrderSummary[]>;
  /**
   * Assigns an order without an owner to the account or customer it was for, such as the account created with it. Returns false if it
   * already has an owner or does not exist.
   *
   * @example
   * ```ts
   * const host = await svc.hosts.opened('coupons:12');
   * if (host) await svc.orders.assign('20270131-1', { account: host.id });
   * ```
   * @since 1.84.0
   */
  abstract assign(idOrNumber: number | string, owner: OrderOwner): Promise<boolean>;
  /**
   * Closes an unpaid order, such as one its buyer has replaced; `order.closed` follows. Returns false if it is not unpaid or does not
   * exist. A late payment still settles it.
   *
   * @example
   * ```ts
   * const old = await svc.db.query<{ order_no: string }>('SELECT order_no FROM {coupon} WHERE replaced = 1');
   * for (const { order_no: number } of old)
   *   if (await svc.orders.close(number)) svc.log.info('given up', { order: number });
   * ```
   * @since 1.84.0
   */
  abstract close(idOrNumber: number | string): Promise<boolean>;
  /**
   * Prevents an unpaid order from being closed automatically until the given time, at most 60 days ahead, such as one whose payment needs
   * review. The last call wins. Returns false if it is not unpaid or does not exist.
   *
   * @throws Error if `until` is not a valid `Date`
   * @example
   * ```ts
   * const until = new Date(Date.now() + 3 * 86_400_000); // somebody looks at the transfer within three days
   * if (!(await svc.orders.hold('20270131-1', until))) svc.log.info('it is not unpaid');
   * ```
   * @since 1.84.0
   */
  abstract hold(idOrNumber: number | string, until: Date): Promise<boolean>;
}

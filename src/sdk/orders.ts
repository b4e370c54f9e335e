/**
 * The order a gateway's `build` and the listeners of `order.paid` get. Source: docs/plugin-api.md "Payments".
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
  /** The same number under its column name. */
  ddh: string;
  /** What is bought, for the gateway's cashier. */
  name: string;
  /** Yuan with two decimals, such as `"12.50"`. */
  money: string;
  /** Fen, such as `1250`. */
  amount: number;
  /** Payment type string `{slug}__{method}`; of a paid order the one it was paid through. */
  type: string;
  /** What the order is for: `[a-z0-9_]{1,32}`. */
  scene: string;
  /** Who is said to have ordered: a text for people of at most 64 characters, not an identity. */
  user: string;
  /** Base URL of this panel, without a trailing slash. */
  siteurl: string;
  /** Where the gateway's server calls back. */
  notify_url: string;
  /** Where the gateway sends the buyer's browser. */
  return_url: string;
  /** What `svc.orders.create` was given as `context`; survives restarts. */
  context: Readonly<Record<string, unknown>>;
}

/**
 * Whom an order belongs to: a hosting account (`SVC_zj.id`), or a customer account of plugins (`SVC_plugin_user.id`).
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
 * What `svc.orders.create` takes.
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
  /** A name for people, at most 64 characters; need not be an account's, and owns nothing. */
  user: string;
  /**
   * Whose order it is: who sees it among his own. Where nothing is given, whoever is signed in on the user side in this request;
   * null, or nobody signed in: nobody's until `svc.orders.assign`.
   */
  owner?: OrderOwner | null;
  /** `[a-z0-9_]{1,32}`. */
  scene: string;
  /** At most 127 characters. */
  name: string;
  /** Fen, 1 to 99,999,999,999: the price without a coupon. */
  amount: number;
  /**
   * The coupon the buyer typed; empty and left out: none. The panel computes what it takes off and keeps it with the order, whose `amount`
   * is what is left to pay. Where it leaves nothing the order comes back paid, and `order.paid` follows.
   */
  coupon?: string;
  /**
   * What is bought, `<slug>:<id>` in at most 64 characters of `[A-Za-z0-9_.:-]`, such as `hosting_shop:3`: coupons may be limited to it.
   * Name the same products to the hook `order.products`.
   */
  product?: string;
  /** `{slug}__{method}`; left out where the buyer chooses on the pay page. */
  type?: string;
  /** At most 16 KB of JSON, handed to the listeners of `order.paid`. */
  context?: Record<string, unknown>;
  ip?: string;
}

/**
 * Something that is sold, by a name that stays: what coupons may be limited to. See the hook `order.products`.
 *
 * @example
 * ```ts
 * const starter: OrderProduct = { id: 'hosting_shop:3', name: 'Starter' };
 * svc.svc_add_action('order.products', (products) => [...products, starter]);
 * ```
 * @since 1.84.0
 */
export interface OrderProduct {
  /** As `product` of {@link CreateOrderRequest} names it. */
  id: string;
  /** For the administrator who chooses it. */
  name: string;
}

/**
 * What `svc.orders.price` asks for.
 *
 * @example
 * ```ts
 * const asked: PriceRequest = { amount: 9_900, coupon: 'SPRING', product: 'hosting_shop:3', locale: 'en' };
 * const price = await svc.orders.price(asked);
 * ```
 * @since 1.84.0
 */
export interface PriceRequest extends Pick<CreateOrderRequest, 'amount' | 'coupon' | 'product' | 'owner'> {
  /** Of the refusal's text; the installation's where nothing is given. */
  locale?: string;
}

/**
 * What an order would cost. Money is fen.
 *
 * @example
 * ```ts
 * const price: OrderPrice = await svc.orders.price({ amount: 9_900, coupon: 'SPRING' });
 * if (price.refused) svc.log.debug('no coupon', { why: price.refused.code });
 * ```
 * @since 1.84.0
 */
export interface OrderPrice {
  /** Without the coupon. */
  original: number;
  /** What the coupon takes off. */
  discount: number;
  /** What is left to pay; 0 where the coupon pays it all. */
  amount: number;
  /** Why the coupon does not count, such as `COUPON_OVER`, and that in words for the buyer; null where it does, or none was named. */
  refused: { code: string; text: string } | null;
}

/**
 * An order's state.
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
 * What `svc.orders.get` answers.
 *
 * @example
 * ```ts
 * const order: OrderSummary | null = await svc.orders.get('20270131-1');
 * if (order?.status === 'paid') svc.log.info('paid', { at: order.paidAt });
 * ```
 * @since 1.84.0
 */
export interface OrderSummary extends OrderRecord {
  /** Code of the coupon it was made with; null: none. */
  coupon: string | null;
  /** Fen the coupon took off; `amount` is without them. */
  discount: number;
  status: OrderStatus;
  /** Whose it is; null: nobody's. */
  owner: OrderOwner | null;
  /** The page where the buyer chooses a method and pays; holds the order's key. */
  pay_url: string;
  createdAt: string;
  paidAt: string | null;
}

/**
 * What `svc.orders.paid` asks for.
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
  /** Paid at this moment or later. */
  since: Date;
  /** The last order of the page before. */
  after?: Pick<OrderSummary, 'id' | 'paidAt'>;
  /** 1 to 500; 100 where nothing is given. */
  limit?: number;
}

/**
 * Which orders.
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
  /** Only those of this hosting account. */
  account?: number;
  /** Made at this moment or later. */
  since?: Date;
  /** Made before. */
  until?: Date;
  /** From 1; 1 where nothing is given. */
  page?: number;
  /** 1 to 200; 50 where nothing is given. */
  limit?: number;
}

/**
 * Orders of `SVC_dd`. The class is also the token a Nest module injects it by.
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
   * Makes an unpaid order; one that its coupon pays in full comes back paid. In an open transaction of the plugin as part of it.
   *
   * @throws Error with `code` `TOO_MANY_UNPAID` while a visitor is served who left too many unpaid, `COUPON_…` for a coupon that does not
   * count: {@link price} says the same before, in words
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
   * What an order would cost with a coupon, computed as {@link create} does; it orders nothing and takes no use of the coupon.
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
   * The order by its id or its number; null where there is none.
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
   * Orders of everybody, newest first, and how many there are.
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
   * Paid orders of a scene in the order they were paid, a page at a time: to compare what was paid with what was delivered.
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
   * Gives an order that is nobody's to the account or customer it was for, such as the account that was opened with it. False where it is
   * somebody's already, or there is no such order.
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
   * Closes an unpaid order, such as one its buyer has replaced; `order.closed` follows. False where it is not unpaid, or there is no such
   * order. A payment that comes late still settles it.
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
   * Keeps an unpaid order from being closed by itself until then, 60 days at most, such as one whose payment somebody has yet to look at.
   * The last call counts. False where it is not unpaid, or there is no such order.
   *
   * @throws Error for a time that is no `Date`
   * @example
   * ```ts
   * const until = new Date(Date.now() + 3 * 86_400_000); // somebody looks at the transfer within three days
   * if (!(await svc.orders.hold('20270131-1', until))) svc.log.info('it is not unpaid');
   * ```
   * @since 1.84.0
   */
  abstract hold(idOrNumber: number | string, until: Date): Promise<boolean>;
}

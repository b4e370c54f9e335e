import type { CallContext, PageResult } from './context.js';
import type {
  GatewayCallContext,
  GatewayPayment,
  GatewayRefundRequest,
  GatewayRefundResult,
  GatewayReply,
  GatewayTestResult,
  PaymentLimits,
} from './gateway-records.js';

type MaybePromise<T> = T | Promise<T>;

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
 * A menu entry. `page` names a page of the same plugin, `url` anything else.
 *
 * @example
 * ```ts
 * const menu: MenuRecord = { title: 'Coupons', icon: 'mdi-ticket', order: 60, children: [{ title: 'All', page: 'list' }] };
 * svc.svc_register_menu('admin', menu);
 * ```
 * @since 1.84.0
 */
export interface MenuRecord {
  title: string;
  /** Name of a Material Design icon, such as `mdi-home`. */
  icon?: string;
  /** Ascending; 50 where nothing is given. */
  order?: number;
  page?: string;
  url?: string;
  children?: MenuRecord[];
}

/**
 * A card on a dashboard. `html` is trusted as it stands.
 *
 * @example
 * ```ts
 * const used: WidgetRecord = { title: 'Coupons', html: '<p>7 used</p>', width: 4 };
 * svc.svc_register_widget('admin', 'main', () => used);
 * ```
 * @since 1.84.0
 */
export interface WidgetRecord {
  title?: string;
  html: string;
  /** Ascending; 50 where nothing is given. */
  order?: number;
  /** Columns of twelve, 1 to 12; 6 where nothing is given. */
  width?: number;
  /** `top`: above everything else of the dashboard; `main` where nothing is given. */
  area?: string;
}

/**
 * A step of the guide for a new installation, which stands on the dashboard until every step is done. One with the `id` of a step that is there
 * takes its place.
 *
 * @example
 * ```ts
 * const step: SetupStepRecord = { id: 'coupons', title: 'A coupon for the first week', text: 'Give one to your first customers.', url: '/admin/plugin.php?p=coupons&page=list', label: 'Add one', done: false };
 * svc.svc_add_action('dashboard.admin.steps', (steps) => void steps.push(step));
 * ```
 * @since 1.84.0
 */
export interface SetupStepRecord {
  /** `[a-z0-9_-]{1,64}`. The panel's own: `password`, `server`, `payment`, `shop`, `mail`. */
  id: string;
  title: string;
  /** What is to do, and why; shown while it is not done. */
  text?: string;
  /** Where that is done: a path or an http(s) address. */
  url: string;
  /** Of the button that leads there. */
  label?: string;
  done: boolean;
  /** An operation of the admin side that is run before the button leads on. */
  operation?: string;
  /** Ascending; 50 where nothing is given. The panel's own: 10, 20 and so on. */
  order?: number;
}

/**
 * A section of the home page. `html` is trusted as it stands.
 *
 * @example
 * ```ts
 * const prices: HomeBlockRecord = { id: 'prices', title: 'Prices', html: '<p>From 9.90</p>', order: 20 };
 * svc.svc_add_action('home.blocks', (blocks) => [...blocks, prices]);
 * ```
 * @since 1.84.0
 */
export interface HomeBlockRecord {
  /** Names the section's element, `block-{id}`: `[a-zA-Z0-9_-]{1,64}`. */
  id?: string;
  title?: string;
  html: string;
  /** Ascending; 50 where nothing is given. */
  order?: number;
}

/**
 * A field of a settings tab that the panel draws, checks and stores as an option of the plugin.
 *
 * @example
 * ```ts
 * const prefix: SettingsField = { key: 'prefix', label: 'Prefix', type: 'text', default: 'SPRING', hint: 'Of new codes' };
 * svc.svc_register_settings_tab('admin', { title: 'Coupons', fields: [prefix] });
 * ```
 * @since 1.84.0
 */
export interface SettingsField {
  /** Option key: `[A-Za-z0-9_.-]{1,64}`. */
  key: string;
  label: string;
  type: 'text' | 'textarea' | 'password' | 'number' | 'switch' | 'select';
  default?: string | number | boolean;
  hint?: string;
  placeholder?: string;
  options?: { value: string; label: string }[];
}

/**
 * A field of a notice channel; a `password` is a secret: kept sealed, never shown again, and left as it is where it is left empty.
 *
 * @example
 * ```ts
 * const server: NoticeChannelField = { key: 'server', label: 'Server', type: 'text', required: true };
 * const token: NoticeChannelField = { key: 'token', label: 'Token', type: 'password', required: true };
 * const loud: NoticeChannelField = { key: 'loud', label: 'Loud', type: 'switch', target: false };
 * const send: NoticeChannelRecord['send'] = async () => {};
 * svc.svc_register_notice_channel('pager', { title: 'Pager', fields: [server, token, loud], send });
 * ```
 * @since 1.84.0
 */
export interface NoticeChannelField extends SettingsField {
  /** Nothing is sent, and nobody can save the channel, while it is empty. */
  required?: boolean;
  /**
   * Whether another value may lead messages, and the secrets they are sent with, to somebody else; true where nothing is given. Who changes such a field of a
   * channel that is there types its other secrets again: he may be somebody who is not shown them. False for what has no say in where it goes.
   */
  target?: boolean;
}

/**
 * A notice on its way out, or several in one.
 *
 * @example
 * ```ts
 * const line = ({ site, title, text, link }: NoticeMessage): string => `[${site}] ${title}: ${text} ${link}`;
 * ```
 * @since 1.84.0
 */
export interface NoticeMessage {
  /** The same in every attempt: what came twice is told by it. */
  readonly id: string;
  /** What it is about. */
  readonly kind: 'monitor' | 'expire' | 'traffic' | 'scan' | 'payment' | 'backup' | 'certificate' | 'report' | 'system';
  readonly level: 'info' | 'success' | 'warning' | 'danger';
  /** In the language of whoever gets it, as `text` is. */
  readonly title: string;
  /** Lines of plain text; at most 20,000 characters. */
  readonly text: string;
  /** Where more is to be seen; empty where there is nothing. */
  readonly link: string;
  /** Name of the installation. */
  readonly site: string;
  readonly at: Date;
}

/**
 * What a notice channel is called with besides the message and its settings.
 *
 * @example
 * ```ts
 * const soon = (ctx: NoticeChannelContext): Promise<Response> => fetch('https://pager.example.com', { signal: ctx.signal });
 * ```
 * @since 1.84.0
 */
export interface NoticeChannelContext {
  /** Aborted when nobody waits for the answer any more: after 15 seconds, and when the plugin is switched off. */
  readonly signal: AbortSignal;
  /** `zh-CN` or `en`: what an error says is read by somebody with this language. */
  readonly locale: string;
}

/**
 * A kind of notice channel a plugin brings. `title`, `help`, and labels and hints of the fields may be keys of the plugin's `lang` files.
 * Source: docs/plugin-api.md "Notice channels".
 *
 * @example
 * ```ts
 * const pager: NoticeChannelRecord = {
 *   title: 'Pager',
 *   fields: [{ key: 'token', label: 'Token', type: 'password', required: true }],
 *   send: async ({ title }, { token }) => {
 *     const answer = await svc.svc_http_post('https://pager.example.com/send', { text: title }, { Authorization: `Bearer ${token}` });
 *     if (!answer.ok) throw new Error(answer.error);
 *   },
 * };
 * svc.svc_register_notice_channel('pager', pager);
 * ```
 * @since 1.84.0
 */
export interface NoticeChannelRecord {
  /** What people choose it by. */
  title: string;
  /** What somebody does to have one, above the form. */
  help?: string;
  /** What has to be known of a channel; at most 12, of at most 1,000 characters each. */
  fields: NoticeChannelField[];
  /**
   * Sends a message: answers nothing once it was taken, and throws an error in words for people where it was not. The message is tried
   * again then, for more than a day.
   */
  send: (message: NoticeMessage, settings: Readonly<Record<string, string>>, ctx: NoticeChannelContext) => MaybePromise<void>;
  /** What **Test** does, with a message that says so; `send` where nothing is given. */
  test?: (message: NoticeMessage, settings: Readonly<Record<string, string>>, ctx: NoticeChannelContext) => MaybePromise<void>;
}

/**
 * A tab of the admin settings page: a page of the plugin, a URL, or fields the panel draws.
 *
 * @example
 * ```ts
 * const fields: SettingsField[] = [{ key: 'open', label: 'Open', type: 'switch', default: true }];
 * const tab: SettingsTabRecord = { id: 'coupons', title: 'Coupons', fields };
 * svc.svc_register_settings_tab('admin', tab);
 * ```
 * @since 1.84.0
 */
export interface SettingsTabRecord {
  id?: string;
  title: string;
  /** Ascending; 50 where nothing is given. */
  order?: number;
  page?: string;
  url?: string;
  fields?: SettingsField[];
}

/**
 * What `build` may answer: a URL (302), HTML (starts with `<`), one of the records, or `false` for "cannot".
 *
 * @example
 * ```ts
 * const toCashier = ({ ddh, amount }: OrderRecord): BuildResult => ({ redirect: `https://pay.example.com/?no=${ddh}&fen=${amount}` });
 * ```
 * @since 1.84.0
 */
export type BuildResult = string | false | { redirect: string } | { html: string } | { qrcode: string };

/**
 * Second argument of `build`'s third parameter: what the caller knows of the buyer.
 *
 * @example
 * ```ts
 * const cashier = ({ device }: BuildOptions): string => (device === 'mobile' ? 'https://m.pay.example.com' : 'https://pay.example.com');
 * ```
 * @since 1.84.0
 */
export interface BuildOptions {
  /** Address of the buyer. */
  ip?: string;
  /** `mobile` or `pc`, guessed from the user agent. */
  device?: 'mobile' | 'pc';
}

/**
 * What a gateway registers. Source: docs/plugin-api.md "Payments".
 *
 * @example
 * ```ts
 * const gateway: PaymentRecord = {
 *   name: 'My gateway',
 *   methods: { card: 'Card' },
 *   build: (order) => `https://pay.example.com/?no=${order.out_trade_no}`,
 *   notify: async (ctx) => {
 *     // The signature is checked first: see docs/plugin-api.md "Payments".
 *     const { ok } = await svc.svc_pay_settle_order(ctx.body.no ?? '', svc.slug, { trade_no: ctx.body.id, amount: Number(ctx.body.fen) });
 *     return ok ? 'success' : 'fail';
 *   },
 * };
 * svc.svc_register_payment(svc.slug, gateway);
 * ```
 * @since 1.84.0
 */
export interface PaymentRecord {
  /** Display name of the gateway. */
  name: string;
  /** Method key to label. Keys: `[A-Za-z0-9][A-Za-z0-9_-]*` without `__`. */
  methods: Record<string, string | { name?: string; label?: string; icon?: string }>;
  /** Where the buyer pays: called when somebody has chosen a method. */
  build: (order: OrderRecord, method: string, options: BuildOptions) => MaybePromise<BuildResult>;
  /** Verifies the notification, settles, and returns the exact text the gateway waits for; a reply where it goes by status. */
  notify?: (ctx: CallContext) => MaybePromise<string | GatewayReply>;
  /** The buyer comes back: a URL to go to, or nothing for the order's own page. Never settles by itself. */
  return?: (ctx: CallContext) => MaybePromise<PageResult>;
  /** Origins a form in `html` may post to, such as `https://openapi.alipay.com`; part of that page's CSP. */
  formTargets?: string[];
  /** ISO 4217 codes of what it can take, `any` for whatever the installation has; `['CNY']` where nothing is given. Without that of the orders it is not offered. */
  currencies?: string[] | 'any';
  /** Amounts it takes, or what says them where they depend on the currency; any where nothing is given. */
  limits?: PaymentLimits | (() => PaymentLimits);
  /** It moves no money and is there to try things out: the guide for a new installation does not count it as a way to be paid. */
  demo?: boolean;
  /** Whether it is set up: while it says no, or nothing in time, buyers are not offered it. Asked for every page that offers payment methods. */
  ready?: () => MaybePromise<boolean>;
  /** Asks the gateway about an order that was sent to it. Never settles by itself; throws where it could not be asked. */
  query?: (order: OrderRecord, ctx: GatewayCallContext) => MaybePromise<GatewayPayment>;
  /** Gives money back: once for each `request.id`, however often it is called. */
  refund?: (order: OrderRecord, request: GatewayRefundRequest, ctx: GatewayCallContext) => MaybePromise<GatewayRefundResult>;
  /** What the button **Test** of the payment settings does: asks the gateway whether the settings are right. Moves no money. */
  test?: (ctx: GatewayCallContext) => MaybePromise<GatewayTestResult>;
}

/**
 * One enabled payment method, as stored in `SVC_config.pay_methods`.
 *
 * @example
 * ```ts
 * const methods: PaymentMethodRecord[] = await svc.svc_get_enabled_payment_methods();
 * svc.log.debug('buyers can choose', { methods: methods.map(({ display_name }) => display_name) });
 * ```
 * @since 1.84.0
 */
export interface PaymentMethodRecord {
  plugin: string;
  method: string;
  /** At most 40 characters. */
  display_name: string;
  /** At most 60 characters. */
  icon: string;
  /** 0 to 999, ascending; 99 where nothing is given. */
  sort: number;
  /** Least amount it is offered for, in fen; not there: whatever the gateway takes. */
  min?: number;
  /** Most amount it is offered for, in fen. */
  max?: number;
}

/**
 * Third argument of `svc_pay_settle_order`: what the gateway says was paid.
 *
 * @example
 * ```ts
 * const paid: SettlementExtra = { trade_no: 'T-1001', amount: 990, currency: 'CNY' };
 * await svc.svc_pay_settle_order('20270131-1', 'mygate', paid);
 * ```
 * @since 1.84.0
 */
export interface SettlementExtra {
  /** The gateway's own transaction number; unique per gateway. At most 128 characters. */
  trade_no?: string;
  /** Yuan, as text or number. */
  money?: string | number;
  /** Fen; wins over `money`. */
  amount?: number;
  /** ISO 4217; `CNY` where nothing is given. */
  currency?: string;
  /** The notification as it came, kept for the payment log. */
  raw?: unknown;
}

/**
 * What settling answers; it never throws for a refusal.
 *
 * @example
 * ```ts
 * const paid = { trade_no: 'T-1001', amount: 990 };
 * const { ok, already, msg }: SettlementResult = await svc.svc_pay_settle_order('20270131-1', 'mygate', paid);
 * if (!ok) svc.log.warn('not settled', { already, msg });
 * ```
 * @since 1.84.0
 */
export interface SettlementResult {
  ok: boolean;
  /** The order had been settled before: nothing happened now. */
  already: boolean;
  msg: string;
}

/**
 * Quota of a hosting account; 0 means unlimited, but for monitors and backups.
 *
 * @example
 * ```ts
 * const small: HostQuota = { webMb: 512, databaseMb: 100, domains: 2 };
 * await svc.hosts.setQuota(7, small);
 * ```
 * @since 1.84.0
 */
export interface HostQuota {
  /** Web space in MB. */
  webMb?: number;
  /** Database space in MB. */
  databaseMb?: number;
  /** Traffic in GB per month. */
  trafficGb?: number;
  /** Domains that may be bound. */
  domains?: number;
  /**
   * Monitors the account may have, 0 to 1000; 0 means none, null as many as the settings of the installation say. Those there are stay when it gets
   * lower, and no new ones are made until there are fewer.
   */
  monitors?: number | null;
  /**
   * Backups of its site the account may have, 0 to 100; 0 means none, null as many as the settings of the installation say. Those there are stay when it
   * gets lower.
   */
  backups?: number | null;
}

/**
 * What `svc.hosts.provision` takes.
 *
 * @example
 * ```ts
 * const account = { node: 'local', user: 'alice01', password: 'a long password', expiresOn: null };
 * const request: ProvisionRequest = { ...account, idempotencyKey: 'coupons:7' };
 * await svc.hosts.provision(request);
 * ```
 * @since 1.84.0
 */
export interface ProvisionRequest extends HostQuota {
  /** Code of the node, as in `SVC_bt.btdh`. */
  node: string;
  /** Login: 6 to 32 of `a-z 0-9 _ -`, starting with a letter or digit; unique ignoring case. */
  user: string;
  /** 6 to 64 characters. */
  password: string;
  /** Last day, `YYYY-MM-DD`; null never expires. */
  expiresOn: string | null;
  /** Days its site goes on after the last one before it is paused, 0 to 27; null and left out: as the settings of the installation say. */
  graceDays?: number | null;
  /**
   * Days it is kept after that pause before it is deleted into the recycle bin, 3 to 3650; 0: it never is; null and left out: as the settings of the
   * installation say. Its owner is told at least three days before.
   */
  keepDays?: number | null;
  /** Same key twice gives the same account and no second event. At most 128 characters. */
  idempotencyKey?: string;
  /** Owner among `SVC_plugin_user`, if there is one. */
  ownerId?: number;
  /** Mail address notices for the owner go to, at most 254 characters; left out: those of his account, if any. */
  email?: string;
  /** Key of the package it is sold as: {@link PackageOffer.package}. Left out: of none. */
  package?: string;
}

/**
 * A hosting account as plugins see it; never with its password.
 *
 * @example
 * ```ts
 * const host: HostRecord | null = await svc.hosts.get('alice01');
 * if (host?.status === 'paused') svc.log.info('paused', { reasons: host.pauseReasons });
 * ```
 * @since 1.84.0
 */
export interface HostRecord {
  id: number;
  user: string;
  node: string;
  status: 'active' | 'paused' | 'provisioning' | 'failed';
  /** Why it is paused; empty while it runs. */
  pauseReasons: string[];
  /** Its web site was stopped by itself; a pause that ends leaves it so. */
  siteStopped: boolean;
  expiresOn: string | null;
  /** Days its site goes on after {@link expiresOn} before it is paused. */
  graceDays: number;
  /** Last day on which no job pauses it, its time over or not, as an administrator said; null: none. */
  holdUntil: string | null;
  /** Owner among `SVC_plugin_user`; null: none. */
  ownerId: number | null;
  /** Address of its site. */
  url: string;
  webMb: number;
  databaseMb: number;
  trafficGb: number;
  domains: number;
  /** Monitors it may have; null: as many as the settings of the installation say. */
  monitors: number | null;
  /** Backups of its site it may have; null: as many as the settings of the installation say. */
  backups: number | null;
  /** Key of the package it is of; null: of none, it was opened by hand, taken over or is a shop's that knows no packages. */
  package: string | null;
  createdAt: string;
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
   * The coupon the buyer typed; empty and left out: none. The panel computes what it takes off and keeps it with the order, whose `amount` is what is left
   * to pay. Where it leaves nothing the order comes back paid, and `order.paid` follows.
   */
  coupon?: string;
  /**
   * What is bought, `<slug>:<id>` in at most 64 characters of `[A-Za-z0-9_.:-]`, such as `hosting_shop:3`: coupons may be limited to it. Name the same products
   * to the hook `order.products`.
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
 * A time a host may be renewed for, and what that costs. See the hook `host.renewal.offers`.
 *
 * @example
 * ```ts
 * const year: RenewalOffer = { months: 12, amount: 9_900, name: 'Starter' };
 * svc.svc_add_action('host.renewal.offers', (offers, host) => (host.node === 'bj01' ? [...offers, year] : offers));
 * ```
 * @since 1.84.0
 */
export interface RenewalOffer {
  /** 1 to 120. */
  months: number;
  /** In minor units (fen). 0: it costs nothing, and is made at once, without an order, from seven days before the last day on. */
  amount: number;
  /** What is renewed, such as the name of a plan: part of the order's name, 1 to 80 characters. */
  name: string;
  /** What is bought by it, as `product` of {@link CreateOrderRequest}: coupons may be limited to it. */
  product?: string;
  /** Key of the package the host is of once it is renewed; left out: as before. */
  package?: string;
}

/**
 * A package a host may be changed to, or the one it is of. See the hook `host.package.offers`.
 *
 * @example
 * ```ts
 * const prices = [{ months: 1, amount: 990 }, { months: 12, amount: 9_900 }];
 * const large: PackageOffer = { package: 'coupons:large', name: 'Large', prices, limits: { webMb: 4_096, domains: 10 } };
 * svc.svc_add_action('host.package.offers', (offers, host) => (host.node === 'bj01' ? [...offers, large] : offers));
 * ```
 * @since 1.84.0
 */
export interface PackageOffer {
  /** The plugin's slug, a colon, and what the plugin calls it: at most 185 visible ASCII characters. */
  package: string;
  /** For people, 1 to 80 characters. */
  name: string;
  /** What it costs now, in minor units (fen), for the times it is sold for: 1 to 120 months. All 0: it is free. */
  prices: readonly { readonly months: number; readonly amount: number }[];
  /** What a host of it has. What is left out stays as it is. */
  limits: HostQuota;
}

/**
 * `plugin.json`. Source: docs/plugin-api.md "The package".
 *
 * @example
 * ```ts
 * const manifest: PluginManifest = { id: 'coupons', name: 'Coupons', version: '1.2.0', requires: '^1.84.0', main: 'index.js' };
 * svc.log.debug('as plugin.json says it', { manifest });
 * ```
 * @since 1.84.0
 */
export interface PluginManifest {
  id: string;
  name: string;
  version: string;
  author?: string;
  description?: string;
  /** Semver range of the panel API, such as `^1.84.0`. */
  requires?: string;
  /** Older spelling: at least this version. */
  requires_svc?: string;
  /** The same under the name older packages have it. */
  requires_mnbt?: string;
  requires_plugins?: string[] | Record<string, string>;
  /** Other slugs it answers to in `requires_plugins`, where no plugin of that slug is there: it does what that one does. */
  provides?: string[];
  /** CommonJS entry, `index.js` where nothing is given. */
  main?: string;
  /**
   * What it asks for: shown in the plugin list, before it is installed, and to the store's reviewers. `host_driver` is what
   * {@link SvcFacade.svc_register_host_driver} needs, `dns` what {@link SvcFacade.svc_register_dns_driver} needs, `customers` what {@link CustomersService} needs, `credit` what
   * {@link CreditService} needs; anything else is words for people. Code runs with all rights whatever stands here.
   */
  permissions?: string[];
  /** Plugins that may read and write this one's options; `*` for all. */
  share_options?: string[];
  /** Kinds such as `payment` or `integration`: shown in the plugin list and to the store's reviewers. */
  type?: string[];
}

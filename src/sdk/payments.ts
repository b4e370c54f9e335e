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
import type { OrderRecord } from './orders.js';

type MaybePromise<T> = T | Promise<T>;

/**
 * What `build` may return: a URL (302), HTML (starts with `<`), one of the records, or `false` if the gateway cannot take the payment.
 *
 * @example
 * ```ts
 * const toCashier = ({ ddh, amount }: OrderRecord): BuildResult => ({ redirect: `https://pay.example.com/?no=${ddh}&fen=${amount}` });
 * ```
 * @since 1.84.0
 */
export type BuildResult = string | false | { redirect: string } | { html: string } | { qrcode: string };

/**
 * Third parameter of `build`: what is known about the buyer.
 *
 * @example
 * ```ts
 * const cashier = ({ device }: BuildOptions): string => (device === 'mobile' ? 'https://m.pay.example.com' : 'https://pay.example.com');
 * ```
 * @since 1.84.0
 */
export interface BuildOptions {
  /** IP address of the buyer. */
  ip?: string;
  /** `mobile` or `pc`, guessed from the user agent. */
  device?: 'mobile' | 'pc';
  /** The buyer's language: `zh-CN` or `en`. */
  locale?: string;
}

/**
 * A payment gateway. Source: docs/plugin-api.md "Payments".
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
  /** Labels by method key. Keys match `[A-Za-z0-9][A-Za-z0-9_-]*` without `__`. */
  methods: Record<string, string | { name?: string; label?: string; icon?: string }>;
  /** Starts a payment: called when the buyer has chosen a method; returns where they pay. */
  build: (order: OrderRecord, method: string, options: BuildOptions) => MaybePromise<BuildResult>;
  /**
   * Verifies the notification, settles, and returns the exact text the gateway expects, or a reply if the gateway checks the HTTP status.
   */
  notify?: (ctx: CallContext) => MaybePromise<string | GatewayReply>;
  /** Handles the buyer's return: a URL to redirect to, or nothing for the order's own page. Must never settle the order. */
  return?: (ctx: CallContext) => MaybePromise<PageResult>;
  /**
   * Origins that a form in `html` may post to, for the page's CSP: list every origin without TLS, such as `http://pay.example.com`. With
   * TLS any origin is allowed, because checkout pages redirect to banks. If none is listed, any origin without TLS is allowed as well.
   */
  formTargets?: string[];
  /**
   * ISO 4217 codes of the currencies it accepts, `any` for whatever the installation uses; `['CNY']` by default. It is not offered for
   * orders in other currencies.
   */
  currencies?: string[] | 'any';
  /** Amounts it accepts, or a function that returns them if they depend on the currency; any amount by default. */
  limits?: PaymentLimits | (() => PaymentLimits);
  /** It moves no money and exists for trying things out: the setup guide for a new installation does not count it as a payment method. */
  demo?: boolean;
  /**
   * Whether it is configured: while this returns false, or does not return in time, the gateway is not offered to buyers. Called for every
   * page that offers payment methods.
   */
  ready?: () => MaybePromise<boolean>;
  /** Queries the gateway about an order that was sent to it. Must never settle the order; throws if the gateway could not be queried. */
  query?: (order: OrderRecord, ctx: GatewayCallContext) => MaybePromise<GatewayPayment>;
  /** Refunds money: once for each `request.id`, however often it is called. */
  refund?: (order: OrderRecord, request: GatewayRefundRequest, ctx: GatewayCallContext) => MaybePromise<GatewayRefundResult>;
  /** Runs when the button **Test** of the payment settings is pressed: asks the gateway whether the settings are right. Moves no money. */
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
  /** Sort order, 0 to 999, ascending; 99 by default. */
  sort: number;
  /** Smallest amount it is offered for, in minor units (fen); if omitted, the gateway's own limit applies. */
  min?: number;
  /** Largest amount it is offered for, in minor units (fen). */
  max?: number;
}

/**
 * A text of the plugin's `lang` files that is stored as a key and shown later in each reader's language.
 *
 * @example
 * ```ts
 * const line: LogText = { key: 'log_signature', params: { number: '2026010112000012345678' } };
 * ```
 * @since 1.84.0
 */
export interface LogText {
  readonly key: string;
  /** Values of its `{name}` placeholders, at most 200 characters each. */
  readonly params?: Readonly<Record<string, string | number>>;
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
  /** Amount in major units (yuan), as text or number. */
  money?: string | number;
  /** Amount in minor units (fen); takes precedence over `money`. */
  amount?: number;
  /** ISO 4217 code; the installation's currency by default. */
  currency?: string;
  /** The raw notification, stored for the payment log. */
  raw?: unknown;
}

/**
 * The result of settling; a refusal is returned, never thrown.
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
  /** The order had already been settled; this call changed nothing. */
  already: boolean;
  msg: string;
}

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
  /** Language the buyer reads: `zh-CN` or `en`. */
  locale?: string;
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
  /**
   * Origins a form in `html` may post to, for that page's CSP: every one without TLS, such as `http://pay.example.com`. With TLS it may post
   * to any, as cashiers lead on to banks. Where none is named, any without TLS may be, too.
   */
  formTargets?: string[];
  /**
   * ISO 4217 codes of what it can take, `any` for whatever the installation has; `['CNY']` where nothing is given. Without that
   * of the orders it is not offered.
   */
  currencies?: string[] | 'any';
  /** Amounts it takes, or what says them where they depend on the currency; any where nothing is given. */
  limits?: PaymentLimits | (() => PaymentLimits);
  /** It moves no money and is there to try things out: the guide for a new installation does not count it as a way to be paid. */
  demo?: boolean;
  /**
   * Whether it is set up: while it says no, or nothing in time, buyers are not offered it. Asked for every
   * page that offers payment methods.
   */
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
 * A text of the plugin's `lang` files that is kept, and read later by people of any language.
 *
 * @example
 * ```ts
 * const line: LogText = { key: 'log_signature', params: { number: '2026010112000012345678' } };
 * ```
 * @since 1.84.0
 */
export interface LogText {
  readonly key: string;
  /** Values of its `{name}` places, at most 200 characters each. */
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

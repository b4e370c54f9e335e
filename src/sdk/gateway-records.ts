import type { Translate } from './context.js';

/**
 * Amounts a gateway accepts, in minor units (fen); an omitted bound means no limit. Payments outside these bounds are not offered to
 * buyers.
 *
 * @example
 * ```ts
 * const limits: PaymentLimits = { least: 100, most: 5_000_000 }; // 1 to 50,000 yuan
 * svc.svc_register_payment(svc.slug, { name: 'My gateway', methods: { card: 'Card' }, limits, build: () => false });
 * ```
 * @since 1.84.0
 */
export interface PaymentLimits {
  /** Smallest amount. */
  least?: number;
  /** Largest amount. */
  most?: number;
}

/**
 * The context of a gateway's `query`, `refund` and `test` calls.
 *
 * @example
 * ```ts
 * const test: PaymentRecord['test'] = ({ t }) => ({ ok: false, msg: t('no_key') });
 * ```
 * @since 1.84.0
 */
export interface GatewayCallContext {
  /** `zh-CN` or `en`: the language of the person who reads messages. */
  readonly locale: string;
  /** Translates the plugin's own texts into that language. */
  readonly t: Translate;
  /** URL that the gateway's server calls back. */
  readonly notify_url: string;
}

/**
 * What a gateway reports about an order.
 *
 * @example
 * ```ts
 * const paid: GatewayPayment = { state: 'paid', trade_no: 'T-1001', amount: 990, currency: 'CNY' };
 * const query: PaymentRecord['query'] = () => paid;
 * ```
 * @since 1.84.0
 */
export interface GatewayPayment {
  /**
   * `paid`: the money was received; `unpaid`: not yet, or the gateway does not know the order; `closed`: it will never be paid; `refunded`:
   * it was refunded, in full or in part.
   */
  state: 'paid' | 'unpaid' | 'closed' | 'refunded';
  /** The gateway's own transaction number; required with `paid`. */
  trade_no?: string;
  /** Amount paid, in minor units (fen); required with `paid`. */
  amount?: number;
  /** ISO 4217 code; the installation's currency by default. */
  currency?: string;
}

/**
 * A refund that a gateway should make.
 *
 * @example
 * ```ts
 * const refund: PaymentRecord['refund'] = async (order, { id, amount }) => {
 *   const answer = await svc.svc_http_post('https://pay.example.com/refund', { id, order: order.ddh, fen: amount });
 *   return answer.ok ? { state: 'done' } : { state: 'refused', msg: answer.error };
 * };
 * ```
 * @since 1.84.0
 */
export interface GatewayRefundRequest {
  /** Id of this refund, 1 to 64 of `A-Z a-z 0-9 _ -`: the same in every attempt, so that the gateway makes it only once. */
  id: string;
  /** Amount to refund, in minor units (fen); at most what was paid. */
  amount: number;
  /** The gateway's transaction number of the payment. */
  trade_no: string;
  /** Amount paid, in minor units (fen). */
  paid: number;
  /** Reason, for the gateway's records; may be empty. */
  reason: string;
}

/**
 * The outcome of a refund. If a callback throws or times out, the outcome is unknown, and it is called again with the same `id`.
 *
 * @example
 * ```ts
 * const refused: GatewayRefundResult = { state: 'refused', msg: 'Not enough balance at the gateway' };
 * const refund: PaymentRecord['refund'] = () => refused;
 * ```
 * @since 1.84.0
 */
export interface GatewayRefundResult {
  /** `done`: the money is on its way; `pending`: the gateway is processing it; `refused`: no refund is made, `msg` says why. */
  state: 'done' | 'pending' | 'refused';
  /** The gateway's own number of the refund. */
  refund_no?: string;
  /** The gateway's message, for people. */
  msg?: string;
}

/**
 * The result of a gateway's self-test.
 *
 * @example
 * ```ts
 * const test: PaymentRecord['test'] = async ({ t }): Promise<GatewayTestResult> => {
 *   const answer = await svc.svc_http_get('https://pay.example.com/merchant');
 *   return answer.ok ? { ok: true, msg: t('test_fine') } : { ok: false, msg: t('test_key_wrong') };
 * };
 * ```
 * @since 1.84.0
 */
export interface GatewayTestResult {
  ok: boolean;
  /** Readable result: what is wrong, and how to fix it. */
  msg: string;
}

/**
 * What `notify` returns to a gateway that checks the HTTP status: 4xx means that the notification was rejected.
 *
 * @example
 * ```ts
 * const refused: GatewayReply = { status: 401, body: { code: 'FAIL', message: 'wrong signature' } };
 * const taken: GatewayReply = { status: 204 };
 * ```
 * @since 1.84.0
 */
export interface GatewayReply {
  /** HTTP status, 200 to 499; 200 by default. */
  status?: number;
  /** A string is sent unchanged, anything else as JSON; empty by default. */
  body?: string | object;
}

import type { Translate } from './context.js';

/**
 * Amounts a gateway takes, in minor units (fen); a bound that is left out is none. Payments outside are not offered to buyers.
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
 * What a gateway's `query`, `refund` and `test` are called with besides their subject.
 *
 * @example
 * ```ts
 * const test: PaymentRecord['test'] = ({ t }) => ({ ok: false, msg: t('no_key') });
 * ```
 * @since 1.84.0
 */
export interface GatewayCallContext {
  /** `zh-CN` or `en`: what a message says is read by somebody with this language. */
  readonly locale: string;
  /** The plugin's own words in that language. */
  readonly t: Translate;
  /** Where the gateway's server calls back. */
  readonly notify_url: string;
}

/**
 * What a gateway says of an order it was asked about.
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
   * `paid`: the money is there; `unpaid`: not yet, or the gateway has no such order; `closed`: it never comes; `refunded`: it went back,
   * whole or in part.
   */
  state: 'paid' | 'unpaid' | 'closed' | 'refunded';
  /** The gateway's own transaction number; needed with `paid`. */
  trade_no?: string;
  /** What was paid, in minor units (fen); needed with `paid`. */
  amount?: number;
  /** ISO 4217; `CNY` where nothing is given. */
  currency?: string;
}

/**
 * A refund a gateway is to make.
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
  /** Names this refund, 1 to 64 of `A-Z a-z 0-9 _ -`: the same in every attempt, so that the gateway makes it once. */
  id: string;
  /** What goes back, in minor units (fen); at most what was paid. */
  amount: number;
  /** The gateway's transaction number of the payment. */
  trade_no: string;
  /** What was paid, in minor units (fen). */
  paid: number;
  /** Why, for the gateway's books; may be empty. */
  reason: string;
}

/**
 * What became of a refund. A callback that throws, or is silent past its time, leaves it unknown: it is asked again with the same `id`.
 *
 * @example
 * ```ts
 * const refused: GatewayRefundResult = { state: 'refused', msg: 'Not enough balance at the gateway' };
 * const refund: PaymentRecord['refund'] = () => refused;
 * ```
 * @since 1.84.0
 */
export interface GatewayRefundResult {
  /** `done`: the money is on its way; `pending`: the gateway works on it; `refused`: it does not go back, `msg` says why. */
  state: 'done' | 'pending' | 'refused';
  /** The gateway's own number of the refund. */
  refund_no?: string;
  /** The gateway's words, for people. */
  msg?: string;
}

/**
 * What a gateway's test of itself found.
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
  /** What was found, in words for people: what is wrong, and what to do about it. */
  msg: string;
}

/**
 * What `notify` answers to a gateway that goes by the status: 4xx means that the notification was refused.
 *
 * @example
 * ```ts
 * const refused: GatewayReply = { status: 401, body: { code: 'FAIL', message: 'wrong signature' } };
 * const taken: GatewayReply = { status: 204 };
 * ```
 * @since 1.84.0
 */
export interface GatewayReply {
  /** 200 to 499; 200 where nothing is given. */
  status?: number;
  /** A text is sent as it is, anything else as JSON; nothing where nothing is given. */
  body?: string | object;
}

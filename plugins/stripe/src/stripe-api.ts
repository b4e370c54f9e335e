import { jsonOf, noAnswer, theirWords, tradeNumberOf, type Settings } from '@svc/gateway-kit';
import {
  currency as currencyOfPanel,
  type GatewayCallContext,
  type GatewayPayment,
  type GatewayRefundRequest,
  type GatewayRefundResult,
  type GatewayTestResult,
  type OrderRecord,
  type SvcFacade,
} from '@svc/sdk';

const API = 'https://api.stripe.com';
/** API version of Stripe, which determines the objects' fields. */
const VERSION = '2024-06-20';

type Json = Readonly<Record<string, unknown>>;
type Words = Pick<GatewayCallContext, 'locale' | 't'>;

/** Returns the payment of a Checkout session from a notification or answer; null if unpaid. */
export function paymentOf(session: Json): (GatewayPayment & { state: 'paid'; trade_no: string; amount: number; currency: string }) | null {
  const { payment_status, amount_total, currency, payment_intent } = session;
  const trade_no = tradeNumberOf(typeof payment_intent === 'string' ? payment_intent : '');
  if (payment_status !== 'paid' || !Number.isSafeInteger(amount_total) || (amount_total as number) < 1) return null;
  if (trade_no === '' || typeof currency !== 'string') return null;
  return { state: 'paid', trade_no, amount: amount_total as number, currency: currency.toUpperCase() };
}

/** Client of Stripe's API. */
export class StripeApi {
  constructor(
    private readonly svc: SvcFacade,
    private readonly settings: Settings,
    private readonly ctx: Words,
  ) {}

  /** Creates a Checkout session for an order. @returns the URL at which the buyer pays @throws Error with Stripe's message */
  async checkout(order: OrderRecord): Promise<string> {
    const { out_trade_no, name, amount, return_url } = order;
    const { status, fields } = await this.call(
      '/v1/checkout/sessions',
      {
        mode: 'payment',
        client_reference_id: out_trade_no,
        'metadata[out_trade_no]': out_trade_no,
        'payment_intent_data[metadata][out_trade_no]': out_trade_no,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': currencyOfPanel().code.toLowerCase(),
        'line_items[0][price_data][unit_amount]': String(amount),
        'line_items[0][price_data][product_data][name]': name.slice(0, 250),
        success_url: return_url,
        cancel_url: return_url,
      },
      `checkout-${out_trade_no}-${Math.floor(Date.now() / 60_000)}`,
    );
    if (status !== 200 || typeof fields.url !== 'string' || typeof fields.id !== 'string') throw new Error(wordsOf(fields));
    return fields.url;
  }

  /** Searches the order's payments for a successful one. */
  async query({ out_trade_no }: OrderRecord): Promise<GatewayPayment> {
    const found = await this.call(
      `/v1/payment_intents/search?${new URLSearchParams({ query: `metadata['out_trade_no']:'${out_trade_no}'`, limit: '20' })}`,
    );
    if (found.status !== 200 || !Array.isArray(found.fields.data)) throw new Error(wordsOf(found.fields));
    const intents = (found.fields.data as Json[]).filter(({ metadata }) => (metadata as Json | undefined)?.out_trade_no === out_trade_no);
    const paid = intents.find(({ status }) => status === 'succeeded');
    if (!paid) return { state: 'unpaid' };
    const { id, amount_received, currency } = paid;
    if (typeof id !== 'string' || !Number.isSafeInteger(amount_received) || typeof currency !== 'string')
      throw new Error(this.ctx.t('strange_answer'));
    return { state: 'paid', trade_no: id, amount: amount_received as number, currency: currency.toUpperCase() };
  }

  async refund(_order: OrderRecord, { id, amount, trade_no }: GatewayRefundRequest): Promise<GatewayRefundResult> {
    const wanted = { payment_intent: trade_no, amount: String(amount), 'metadata[refund]': id };
    const { status, fields } = await this.call('/v1/refunds', wanted, `refund-${id}`);
    if (status >= 500 || status === 429 || status === 409) throw new Error(wordsOf(fields));
    if (status !== 200) return { state: 'refused', msg: wordsOf(fields) };
    const refund_no = String(fields.id ?? '');
    if (fields.status === 'succeeded') return { state: 'done', refund_no };
    if (fields.status === 'pending' || fields.status === 'requires_action') return { state: 'pending', refund_no };
    return { state: 'refused', msg: theirWords(fields.failure_reason ?? fields.status) };
  }

  /** Reads the account, and checks that a webhook for this panel exists. */
  async test(notifyUrl: string): Promise<GatewayTestResult> {
    const { t } = this.ctx;
    try {
      const account = await this.call('/v1/account');
      const words = wordsOf(account.fields);
      if (account.status === 401) return { ok: false, msg: t('refused_key', { words }) };
      if (account.status === 403) return { ok: false, msg: t('refused_permission', { words }) };
      if (account.status !== 200) return { ok: false, msg: t('refused_else', { words }) };
      if (account.fields.charges_enabled === false) return { ok: false, msg: t('no_charges') };
      const hooks = await this.call('/v1/webhook_endpoints?limit=100');
      // A restricted key may not list webhooks; the check is skipped then.
      const endpoints = hooks.status === 200 && Array.isArray(hooks.fields.data) ? (hooks.fields.data as Json[]) : null;
      const own = endpoints?.find(({ url }) => url === notifyUrl);
      if (endpoints && !own) return { ok: false, msg: t('no_webhook') };
      if (own && own.status !== 'enabled') return { ok: false, msg: t('webhook_off') };
      const events = (own?.enabled_events ?? ['*']) as unknown[];
      if (!events.includes('*') && !events.includes('checkout.session.completed')) return { ok: false, msg: t('webhook_events') };
      return { ok: true, msg: t(this.settings.secret_key!.includes('_test_') ? 'test_fine_test' : 'test_fine') };
    } catch (error) {
      return { ok: false, msg: (error as Error).message };
    }
  }

  /** @param key idempotency key @throws Error without secrets in its message */
  private async call(path: string, form?: Readonly<Record<string, string>>, key?: string): Promise<{ status: number; fields: Json }> {
    const { svc, settings, ctx } = this;
    const url = `${(settings.api || API).replace(/\/+$/, '')}${path}`;
    const headers = { Authorization: `Bearer ${settings.secret_key}`, 'Stripe-Version': VERSION, ...(key && { 'Idempotency-Key': key }) };
    const answer = await (form ? svc.svc_http_post(url, new URLSearchParams(form).toString(), headers) : svc.svc_http_get(url, headers));
    const silence = noAnswer(answer, ctx.locale);
    if (silence) throw new Error(silence);
    const fields = jsonOf(answer.body);
    if (!fields) throw new Error(ctx.t('not_stripe', { status: answer.code }));
    return { status: answer.code, fields };
  }
}

/** Stripe includes part of a wrong key in its message, so it is masked. */
function wordsOf({ error }: Json): string {
  const { message, code } = (error ?? {}) as Json;
  return theirWords([message, code && `(${String(code)})`].filter(Boolean).join(' ')).replace(/\b[sr]k_\S+/g, '***');
}

import {
  addressProblem,
  GatewaySettings,
  jsonOf,
  notSetUp,
  orderNumberOf,
  refuse,
  type GatewayField,
  type Settings,
} from '@svc/gateway-kit';
import { currency, CURRENCY_CODES, definePlugin, type CallContext, type GatewayCallContext, type SvcFacade } from '@svc/sdk';

import { doubtOf } from './signature.js';
import { paymentOf, StripeApi } from './stripe-api.js';

const SLUG = 'stripe';
/** Events that report a session's payment: immediate, or by delayed payment methods. */
const PAID_EVENTS: ReadonlySet<unknown> = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded']);

/** Currencies whose minor unit at Stripe differs from ISO 4217. Source: docs.stripe.com/currencies, special cases. */
const COUNTED_OTHERWISE = ['ISK', 'MGA', 'UGX'];

const FIELDS: readonly GatewayField[] = [
  {
    key: 'secret_key',
    kind: 'secret',
    most: 300,
    needed: () => true,
    problem: (value) => (/^[sr]k_(?:live|test)_\w+$/.test(value) ? null : 'stripe_key_rule'),
    isSent: true,
  },
  {
    key: 'webhook_secret',
    kind: 'secret',
    most: 300,
    needed: () => true,
    problem: (value) => (/^whsec_\S+$/.test(value) ? null : 'stripe_webhook_rule'),
  },
  { key: 'api', kind: 'text', most: 200, placeholder: 'https://api.stripe.com', problem: addressProblem, isAddress: true },
];

/** Gateway for Stripe Checkout. */
export default definePlugin((svc) => {
  const settings = new GatewaySettings(svc, { order: 40, fields: FIELDS });
  /** Returns null if a setting is missing. */
  const present = async (): Promise<Settings | null> => {
    const values = await settings.read();
    return values.secret_key && values.webhook_secret ? values : null;
  };
  const api = async (ctx: GatewayCallContext): Promise<StripeApi> => {
    const values = await present();
    if (!values) throw new Error(ctx.t('not_set_up'));
    return new StripeApi(svc, values, ctx);
  };

  settings.register();
  svc.svc_register_payment(SLUG, {
    name: 'Stripe',
    methods: { checkout: { name: '银行卡等（Stripe）Card and more (Stripe)', icon: 'mdi-credit-card-outline' } },
    currencies: CURRENCY_CODES.filter((code) => !COUNTED_OTHERWISE.includes(code)),
    limits: () => ({ least: currency().code === 'CNY' ? 400 : 50, most: 99_999_999 }),
    ready: async () => (await present()) !== null,
    build: async (order) => {
      const values = await present();
      if (values) return { redirect: await new StripeApi(svc, values, { locale: 'zh-CN', t: (key) => key }).checkout(order) };
      return notSetUp(svc, order.out_trade_no);
    },
    notify: async (ctx) => ((await isTaken(svc, await present(), ctx)) ? { body: 'ok' } : { status: 400, body: 'fail' }),
    // Stripe sends no data with the return: the browser knows its order, and nothing is settled.
    return: () => null,
    query: async (order, ctx) => (await api(ctx)).query(order),
    refund: async (order, request, ctx) => (await api(ctx)).refund(order, request),
    test: async (ctx) => {
      const values = await present();
      return values ? new StripeApi(svc, values, ctx).test(ctx.notify_url) : { ok: false, msg: ctx.t('not_set_up') };
    },
  });
});

/** Whether a notification was accepted; events without a payment are accepted without effect. */
async function isTaken(svc: SvcFacade, settings: Settings | null, ctx: CallContext): Promise<boolean> {
  if (!settings) return refuse(svc, 'unset');
  if (ctx.method !== 'POST') return refuse(svc, 'not_post');
  const doubt = doubtOf(ctx.headers['stripe-signature'], ctx.rawBody, settings.webhook_secret!, Math.floor(Date.now() / 1_000));
  if (doubt) return refuse(svc, doubt);
  const event = jsonOf(ctx.rawBody.toString('utf8'));
  const session = (event?.data as { object?: Record<string, unknown> } | undefined)?.object;
  if (!event || typeof session !== 'object' || session === null) return refuse(svc, 'unreadable');
  if (!PAID_EVENTS.has(event.type)) return true;
  const isLive = settings.secret_key!.includes('_live_');
  if (event.livemode !== isLive) return refuse(svc, 'other_mode');
  // A complete but unpaid session uses a delayed payment method: another event reports the payment.
  if (session.payment_status === 'unpaid') return true;
  const number = orderNumberOf(typeof session.client_reference_id === 'string' ? session.client_reference_id : '');
  const payment = paymentOf(session);
  if (number === '' || !payment) return refuse(svc, 'incomplete', number);
  const { trade_no, amount, currency } = payment;
  return (await svc.svc_pay_settle_order(number, SLUG, { trade_no, amount, currency, raw: { event: event.id, session: session.id } })).ok;
}

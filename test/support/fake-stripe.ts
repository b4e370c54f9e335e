/** Fake Stripe API, written from the official documentation and independent of the plugin. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import Stripe from 'stripe';

import { serveHttp, type LoopbackServer } from './loopback-server.js';

type Fields = Record<string, string>;
type Json = Record<string, unknown>;

export const STRIPE_KEYS = { secret_key: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc', webhook_secret: 'whsec_test_secret' } as const;

interface Intent {
  readonly id: string;
  readonly number: string;
  readonly amount: number;
  readonly currency: string;
  status: string;
  readonly refunds: Map<string, number>;
}

/** Fake API, and its buyer. */
export class FakeStripe {
  readonly intents = new Map<string, Intent>();
  requests: { path: string; form: Fields }[] = [];
  webhooks: Json[] = [];
  account: Json = { id: 'acct_1', charges_enabled: true };
  /** Response body that replaces every answer, if set. */
  answer: string | undefined;

  private constructor(private readonly server: LoopbackServer) {}

  static async start(): Promise<FakeStripe> {
    const server = await serveHttp((req, res) => {
      void fake.serve(req).then(([status, reply]) => res.writeHead(status).end(typeof reply === 'string' ? reply : JSON.stringify(reply)));
    });
    const fake: FakeStripe = new FakeStripe(server);
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Returns the signature header for a body, created by Stripe's own package. */
  header(payload: string, { secret = STRIPE_KEYS.webhook_secret as string, timestamp = Math.floor(Date.now() / 1_000) } = {}): string {
    return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  }

  /** Returns the body of a payment event. */
  event(number: string, session: Json = {}, event: Json = {}): string {
    const { id, amount, currency } = this.intents.get(number)!;
    const object = {
      id: 'cs_1',
      client_reference_id: number,
      payment_intent: id,
      payment_status: 'paid',
      amount_total: amount,
      currency,
      ...session,
    };
    return JSON.stringify({ id: 'evt_1', object: 'event', type: 'checkout.session.completed', livemode: true, data: { object }, ...event });
  }

  private async serve(req: IncomingMessage): Promise<[number, Json | string]> {
    const form = Object.fromEntries(new URLSearchParams(await text(req)));
    const { pathname: path, searchParams } = new URL(req.url!, 'http://fake');
    this.requests.push({ path, form });
    if (this.answer !== undefined) return [200, this.answer];
    const failed = (message: string, code: string): Json => ({ error: { message, code, type: 'invalid_request_error' } });
    if (req.headers.authorization !== `Bearer ${STRIPE_KEYS.secret_key}`)
      return [401, failed('Invalid API Key provided: sk_live_****', 'api_key')];
    if (path === '/v1/account') return [200, this.account];
    if (path === '/v1/webhook_endpoints') return [200, { data: this.webhooks }];
    if (path === '/v1/payment_intents/search') {
      const number = /'out_trade_no'\]:'(\w+)'/.exec(searchParams.get('query') ?? '')?.[1];
      const found = [...this.intents.values()].filter((intent) => intent.number === number);
      return [
        200,
        {
          data: found.map(({ id, status, amount, currency }) => ({
            id,
            status,
            currency,
            amount_received: amount,
            metadata: { out_trade_no: number },
          })),
        },
      ];
    }
    if (path === '/v1/refunds') {
      const intent = [...this.intents.values()].find(({ id }) => id === form.payment_intent)!;
      if (Number(form.amount) > intent.amount) return [400, failed('Refund amount is greater than the charge', 'amount_too_large')];
      intent.refunds.set(String(req.headers['idempotency-key']), Number(form.amount));
      return [200, { id: 're_1', status: 'succeeded' }];
    }
    const number = form.client_reference_id!;
    const amount = Number(form['line_items[0][price_data][unit_amount]']);
    const currency = form['line_items[0][price_data][currency]']!;
    this.intents.set(number, {
      id: `pi_${this.intents.size + 1}`,
      number,
      amount,
      currency,
      status: 'requires_payment_method',
      refunds: new Map(),
    });
    return [200, { id: `cs_${number}`, url: `https://checkout.stripe.com/c/pay/${number}` }];
  }
}

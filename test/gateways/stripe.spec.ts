/** The bundled gateway stripe, tested with a Stripe built from its documentation, and compared with Stripe's own package. */
import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { doubtOf } from '../../plugins/stripe/src/signature.js';
import { Database } from '../../src/database/index.js';
import { GatewayCalls, PaymentTransaction, type Order } from '../../src/payment/index.js';
import { FakeStripe, STRIPE_KEYS } from '../support/fake-stripe.js';
import { choose, newOrder, stateOf } from '../support/gateway-orders.js';
import { TestPanel } from '../support/panel.js';

type Fields = Record<string, string>;
const { stripe: VECTOR } = JSON.parse(readFileSync(new URL('signed-vectors.json', import.meta.url), 'utf8')) as {
  stripe: { secret: string; payload: string; timestamp: number; header: string };
};

let panel: TestPanel;
let stripe: FakeStripe;
const save = (fields: Fields = {}) => panel.admin('p_stripe_save', { ...STRIPE_KEYS, api: stripe.url, ...fields });

beforeAll(async () => {
  stripe = await FakeStripe.start();
  panel = await TestPanel.start({ OUTBOUND_ALLOW: '127.0.0.1/32' });
  await panel.enable('stripe');
  expect(await save()).toMatchObject({ success: true });
});
afterAll(async () => {
  await panel.close();
  await stripe.close();
});
afterEach(async () => {
  stripe.answer = undefined;
  stripe.requests = [];
  await save();
});

async function placed(): Promise<Order> {
  const order = await newOrder(panel);
  const { headers } = await choose(panel, order, 'stripe__checkout');
  expect(headers.get('location')).toBe(`https://checkout.stripe.com/c/pay/${order.number}`);
  return order;
}
const notify = async (body: string, header: string | null = stripe.header(body)) => {
  const headers = { 'Content-Type': 'application/json', ...(header !== null && { 'Stripe-Signature': header }) };
  const response = await panel.fetch('/pay/stripe/notify', { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
};
const query = (order: Order) => panel.get(GatewayCalls).query(order, 'stripe');
const transactions = () => panel.get(Database).repository(PaymentTransaction).count();
const REFUSED = { status: 400, text: 'fail' };

describe('compared with Stripe’s own package', () => {
  const SECRET = 'whsec_one';
  const NOW = 1_795_228_805;
  const takes = (header: string, payload: string, now: number): boolean => {
    try {
      Stripe.webhooks.constructEvent(payload, header, SECRET, 300, undefined, now * 1_000);
      return true;
    } catch {
      return false;
    }
  };
  const headerOf = (payload: string, secret: string, timestamp: number) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });

  it('accepts the same, except future timestamps', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.integer({ min: -1_000, max: 1_000 }),
        fc.constantFrom('right', 'wrong', 'both', 'changed'),
        (text, age, fate) => {
          const payload = JSON.stringify({ id: 'evt', object: 'event', data: text });
          const right = headerOf(payload, SECRET, NOW - age);
          const wrong = headerOf(payload, 'whsec_two', NOW - age);
          // During a secret change: signatures of both, the valid one last.
          const header = { right, wrong, both: `${wrong},${right.split(',')[1]}`, changed: right }[fate];
          const body = fate === 'changed' ? `${payload} ` : payload;
          const isOurs = doubtOf(header, Buffer.from(body), SECRET, NOW) === null;
          expect(isOurs).toBe(takes(header, body, NOW) && age >= -300);
          expect(isOurs).toBe((fate === 'right' || fate === 'both') && Math.abs(age) <= 300);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([undefined, '', 't=1', 'v1=00', `t=${NOW},v1=zz`, `t=x,v1=${'0'.repeat(64)}`, `t=${NOW},t=${NOW},v1=${'0'.repeat(64)}`])(
    'rejects a header such as %j',
    (header) => expect(doubtOf(header, '{}', SECRET, NOW)).not.toBeNull(),
  );

  it('accepts the test vector', () => {
    const now = Number(VECTOR.timestamp);
    expect(doubtOf(VECTOR.header, VECTOR.payload, VECTOR.secret, now + 300)).toBeNull();
    expect(doubtOf(VECTOR.header, VECTOR.payload, VECTOR.secret, now + 301)).toBe('too_old');
    expect(doubtOf(VECTOR.header, VECTOR.payload, VECTOR.secret, now - 301)).toBe('too_old');
  });
});

describe('a payment', () => {
  it('is created, notified, queried and refunded once', async () => {
    const order = await placed();
    expect(stripe.requests[0]!.form).toMatchObject({
      client_reference_id: order.number,
      success_url: `${panel.url}/pay/stripe/return`,
      'line_items[0][price_data][currency]': 'cny',
      'line_items[0][price_data][unit_amount]': '1050',
    });
    expect(await query(order)).toEqual({ state: 'unpaid' });
    stripe.intents.get(order.number)!.status = 'succeeded';
    expect(await notify(stripe.event(order.number))).toEqual({ status: 200, text: 'ok' });
    expect(await stateOf(panel, order)).toBe('paid');
    const { id, refunds } = stripe.intents.get(order.number)!;
    expect(await query(order)).toEqual({ state: 'paid', trade_no: id, amount: 1_050, currency: 'CNY' });
    const request = { id: 'R1', amount: 50, trade_no: id, paid: 1_050, reason: '' };
    for (let round = 0; round < 2; round += 1)
      expect(await panel.get(GatewayCalls).refund(order, 'stripe', request)).toMatchObject({ state: 'done', refund_no: 're_1' });
    expect([...refunds]).toEqual([['refund-R1', 50]]);
    expect(await panel.get(GatewayCalls).refund(order, 'stripe', { ...request, id: 'R2', amount: 9_999 })).toMatchObject({
      state: 'refused',
    });
  });

  it('by a delayed method is settled by its second event', async () => {
    const order = await placed();
    expect((await notify(stripe.event(order.number, { payment_status: 'unpaid' }))).status).toBe(200);
    expect(await stateOf(panel, order)).toBe('unpaid');
    expect((await notify(stripe.event(order.number, {}, { type: 'checkout.session.async_payment_succeeded' }))).status).toBe(200);
    expect(await stateOf(panel, order)).toBe('paid');
  });

  it('is not offered below Stripe’s minimum, and returns to its order', async () => {
    expect((await choose(panel, await newOrder(panel, 399), 'stripe__checkout')).status).toBe(422);
    expect((await panel.fetch('/pay/stripe/return', { redirect: 'manual' })).headers.get('location')).toBe('/');
  });
});

describe('an invalid notification settles nothing, and is rejected', () => {
  type Made = string | [body: string, header: string | null];
  const signedAt = (body: string, seconds: number): Made => [
    body,
    stripe.header(body, { timestamp: Math.floor(Date.now() / 1_000) + seconds }),
  ];
  const CORPUS: Record<string, (order: Order, other: Order) => Made> = {
    'no body': () => '',
    'no signature': ({ number }) => [stripe.event(number), null],
    'a signature with another secret': ({ number }) => [
      stripe.event(number),
      stripe.header(stripe.event(number), { secret: 'whsec_other' }),
    ],
    'from ten minutes ago': ({ number }) => signedAt(stripe.event(number), -600),
    'from ten minutes hence': ({ number }) => signedAt(stripe.event(number), 600),
    'another body than was signed': ({ number }, other) => [stripe.event(number), stripe.header(stripe.event(other.number))],
    'a field changed after signing': ({ number }) => [stripe.event(number, { amount_total: 1 }), stripe.header(stripe.event(number))],
    'cut in the middle': ({ number }) => [stripe.event(number).slice(0, 100), stripe.header(stripe.event(number))],
    'less money': ({ number }) => stripe.event(number, { amount_total: 1 }),
    'a part of a fen': ({ number }) => stripe.event(number, { amount_total: 1050.5 }),
    'money as a text': ({ number }) => stripe.event(number, { amount_total: '1050' }),
    'no money': ({ number }) => stripe.event(number, { amount_total: null }),
    'another currency': ({ number }) => stripe.event(number, { currency: 'usd' }),
    'no currency': ({ number }) => stripe.event(number, { currency: null }),
    'no payment needed': ({ number }) => stripe.event(number, { payment_status: 'no_payment_required' }),
    'no transaction': ({ number }) => stripe.event(number, { payment_intent: null }),
    'no order': ({ number }) => stripe.event(number, { client_reference_id: null }),
    'an order there is not': ({ number }) => stripe.event(number, { client_reference_id: '20010101000000000' }),
    'of the test mode': ({ number }) => stripe.event(number, {}, { livemode: false }),
    'no object': ({ number }) => stripe.event(number, {}, { data: null }),
    'another encoding': ({ number }) => [
      stripe.event(number, { id: '\u00ff' }),
      stripe.header(Buffer.from(stripe.event(number, { id: '\u00ff' })).toString('latin1')),
    ],
  };

  it.each(Object.entries(CORPUS))('%s', async (_name, make) => {
    const [order, other] = [await placed(), await placed()];
    const before = await transactions();
    const made = make(order, other);
    const answer = typeof made === 'string' ? await notify(made) : await notify(...made);
    // The panel itself rejects invalid JSON.
    expect(answer.status).toBe(400);
    if (answer.text === 'fail') expect(answer).toEqual(REFUSED);
    expect([await stateOf(panel, order), await stateOf(panel, other), await transactions()]).toEqual(['unpaid', 'unpaid', before]);
  });

  it('by GET, with a megabyte, or for an order of another gateway; other events change nothing', async () => {
    const order = await placed();
    expect((await panel.fetch('/pay/stripe/notify')).status).toBe(400);
    expect((await notify(stripe.event(order.number, { x: 'x'.repeat(1_100_000) }))).status).toBe(413);
    const stranger = await newOrder(panel);
    stripe.intents.set(stranger.number, { ...stripe.intents.get(order.number)!, id: 'pi_77', number: stranger.number });
    expect(await notify(stripe.event(stranger.number))).toEqual(REFUSED);
    expect((await notify(stripe.event(order.number, {}, { type: 'charge.refunded' }))).status).toBe(200);
    expect([await stateOf(panel, order), await stateOf(panel, stranger)]).toEqual(['unpaid', 'unpaid']);
  });

  it('a repeated one, many times at once: one payment', async () => {
    const order = await placed();
    const before = await transactions();
    const body = stripe.event(order.number);
    const answers = await Promise.all(Array.from({ length: 10 }, () => notify(body)));
    expect(answers).toEqual(Array.from({ length: 10 }, () => ({ status: 200, text: 'ok' })));
    expect(await transactions()).toBe(before + 1);
  });
});

describe('the settings', () => {
  const test = async () => (await panel.admin('zfcs', { slug: 'stripe' })).code;
  const hook = (more: object = {}) => ({
    url: `${panel.url}/pay/stripe/notify`,
    status: 'enabled',
    enabled_events: ['checkout.session.completed'],
    ...more,
  });

  it('are tested, and problems are described', async () => {
    stripe.webhooks = [];
    expect(await test()).toMatch(/没有指向此通知地址的 Webhook/);
    stripe.webhooks = [hook({ status: 'disabled' })];
    expect(await test()).toMatch(/端点已停用/);
    stripe.webhooks = [hook({ enabled_events: ['charge.refunded'] })];
    expect(await test()).toMatch(/没有选择事件/);
    stripe.webhooks = [hook()];
    expect(await test()).toMatch(/设置正确/);
    stripe.account = { id: 'acct_1', charges_enabled: false };
    expect(await test()).toMatch(/尚不能收款/);
    stripe.account = { id: 'acct_1', charges_enabled: true };
    await save({ secret_key: 'sk_live_other' });
    expect(await test()).toMatch(/不接受此密钥/);
    expect(await test()).not.toContain('sk_live');
    await save({ api: 'http://127.0.0.1:1' });
    expect(await test()).toMatch(/无法连接/);
    await save();
    stripe.answer = '<html>502</html>';
    expect(await test()).toMatch(/不是 Stripe/);
  });

  it('are rejected at the invalid field, and send no stored key to another address', async () => {
    for (const [fields, wrong] of [
      [{ secret_key: 'pk_live_1' }, 'secret_key'],
      [{ webhook_secret: 'secret' }, 'webhook_secret'],
      [{ api: 'api.stripe.com' }, 'api'],
      [{ api: 'https://elsewhere.example.com', secret_key: '' }, 'secret_key'],
    ] as const)
      expect((await save(fields as Fields)).fields, wrong).toHaveProperty(wrong);
  });

  it('store the keys encrypted and never show them', async () => {
    const page = await (await panel.adminFetch('/admin/settings?tab=stripe')).text();
    const rows = JSON.stringify(await panel.get(Database).query("SELECT * FROM SVC_plugin_option WHERE slug = 'stripe'"));
    const lines = JSON.stringify(await panel.get(Database).query('SELECT * FROM `SVC_log`'));
    for (const secret of Object.values(STRIPE_KEYS)) for (const place of [page, rows, lines]) expect(place).not.toContain(secret);
  });
});

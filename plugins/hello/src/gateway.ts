import { createHmac, timingSafeEqual } from 'node:crypto';

import type { SvcFacade } from '@svc/sdk';

/** URL of the example gateway. */
const GATEWAY = 'https://pay.example.com';

/**
 * A gateway that redirects the buyer to a page, and reports the payment by a signed notification.
 *
 * @param option reads a saved setting
 */
export function registerGateway(svc: SvcFacade, option: (key: string) => Promise<string>): void {
  svc.svc_register_payment(svc.slug, {
    name: 'Hello',
    methods: { card: 'gateway' },
    // Its URL accepts no money: buyers see it only after its settings were filled in, for testing.
    demo: true,
    ready: async () => (await option('merchant')) !== '' && (await option('secret')) !== '',
    build: async (order) => {
      const fields = {
        merchant: await option('merchant'),
        no: order.out_trade_no,
        amount: String(order.amount),
        notify: order.notify_url,
      };
      return `${GATEWAY}/pay?${String(new URLSearchParams({ ...fields, sign: sign(fields, await option('secret')) }))}`;
    },
    // Verify the sender first, then the content: an amount that differs from the order settles nothing.
    notify: async (ctx) => {
      const { sign: given = '', ...fields } = ctx.body;
      const secret = await option('secret');
      if (secret === '' || !isSame(given, sign(fields, secret))) return 'fail';
      const paid = { trade_no: fields.id ?? '', amount: Number(fields.amount) };
      const { ok } = await svc.svc_pay_settle_order(fields.no ?? '', svc.slug, paid);
      return ok ? 'success' : 'fail';
    },
    return: () => null,
  });
}

/** HMAC-SHA-256 over the fields, sorted by name. */
function sign(fields: Readonly<Record<string, string>>, secret: string): string {
  const text = Object.keys(fields)
    .sort()
    .map((key) => `${key}=${fields[key]}`)
    .join('&');
  return createHmac('sha256', secret).update(text).digest('hex');
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

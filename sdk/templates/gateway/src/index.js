import { createHmac, timingSafeEqual } from 'node:crypto';

import { definePlugin } from '@svc/sdk';

/** Replace this with the URL of your gateway. */
const GATEWAY = 'https://pay.example.com';

export default definePlugin((svc) => {
  svc.svc_register_settings_tab('admin', {
    id: '__name__',
    title: 'title',
    fields: [
      { key: 'merchant', label: 'merchant', type: 'text' },
      { key: 'secret', label: 'secret', type: 'password' },
    ],
  });

  svc.svc_register_payment('__name__', {
    name: '__label__',
    methods: { card: '__label__' },
    ready: async () => (await option(svc, 'merchant')) !== '' && (await option(svc, 'secret')) !== '',
    build: async (order) => {
      const fields = {
        merchant: await option(svc, 'merchant'),
        no: order.out_trade_no,
        amount: String(order.amount),
        notify: order.notify_url,
      };
      return `${GATEWAY}/pay?${String(new URLSearchParams({ ...fields, sign: sign(fields, await option(svc, 'secret')) }))}`;
    },
    // Verifies the signature before reading the fields. An amount that differs from the order's settles nothing.
    notify: async (ctx) => {
      const { sign: given = '', ...fields } = ctx.body;
      const secret = await option(svc, 'secret');
      if (secret === '' || !isSame(given, sign(fields, secret))) return 'fail';
      const paid = { trade_no: fields.id ?? '', amount: Number(fields.amount) };
      const { ok } = await svc.svc_pay_settle_order(fields.no ?? '', '__name__', paid);
      return ok ? 'success' : 'fail';
    },
    return: () => null,
  });
});

/** Returns a value from the settings tab. */
async function option(svc, key) {
  return String(await svc.svc_plugin_option_get(svc.slug, key, ''));
}

/** HMAC-SHA-256 of the fields, sorted by name. */
function sign(fields, secret) {
  const text = Object.keys(fields)
    .sort()
    .map((key) => `${key}=${fields[key]}`)
    .join('&');
  return createHmac('sha256', secret).update(text).digest('hex');
}

function isSame(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

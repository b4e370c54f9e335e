// @ts-check
'use strict';

const { createHmac, randomBytes, timingSafeEqual } = require('node:crypto');
const { definePlugin, html } = require('@svc/sdk');

const SLUG = 'sandbox';
/** Tries of a notification, and the pause before each, in milliseconds: what a real gateway does over hours. */
const NOTIFY_PAUSES = [0, 1_000, 5_000];

/**
 * A gateway that takes no money. Its cashier is a signed page of the panel itself; paying there sends the same kind of
 * signed notification a real gateway sends, from outside, over HTTP. It does not start in production.
 */
module.exports = definePlugin(async (svc) => {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('The sandbox gateway gives things away for free: it does not run when NODE_ENV is production.');
  }
  const key = await signingKey(svc);

  svc.svc_register_payment(SLUG, {
    name: '沙箱支付 Sandbox',
    methods: { test: { name: '沙箱支付（不收费） Sandbox, no real money', icon: 'mdi-flask-outline' } },
    build: (order) => {
      const fields = {
        out_trade_no: order.out_trade_no,
        money: order.money,
        name: order.name,
        notify_url: order.notify_url,
        return_url: order.return_url,
      };
      return `/pay/${SLUG}/checkout?${new URLSearchParams({ ...fields, sign: sign(key, fields) })}`;
    },
    notify: async (ctx) => {
      const fields = { ...ctx.query, ...ctx.body };
      if (!isSigned(key, fields)) {
        await svc.svc_pay_log(`验签失败 ${fields.out_trade_no ?? ''}`, 'warning');
        return 'fail';
      }
      const result = await svc.svc_pay_settle_order(fields.out_trade_no ?? '', SLUG, {
        trade_no: fields.trade_no,
        money: fields.money,
        raw: fields,
      });
      return result.ok ? 'success' : 'fail';
    },
    return: () => null,
  });

  svc.svc_register_route('GET', `/pay/${SLUG}/checkout`, (_params, ctx) => {
    if (!isSigned(key, ctx.query)) return { status: 400, body: page(ctx, 'bad_link', html`<p>${ctx.t('bad_link_text')}</p>`) };
    const { sign: signature, ...fields } = ctx.query;
    return page(
      ctx,
      'title',
      html`
        <dl>
          <dt>${ctx.t('item')}</dt><dd>${fields.name}</dd>
          <dt>${ctx.t('order')}</dt><dd>${fields.out_trade_no}</dd>
        </dl>
        <p class="amount">¥${fields.money}</p>
        <form method="post" action="/pay/${SLUG}/checkout">
          ${Object.entries({ ...fields, sign: signature }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
          <button name="decision" value="pay">${ctx.t('pay')}</button>
          <button name="decision" value="cancel" class="quiet">${ctx.t('cancel')}</button>
        </form>
        <p class="hint">${ctx.t('hint')}</p>
      `,
    );
  });

  svc.svc_register_route('POST', `/pay/${SLUG}/checkout`, async (_params, ctx) => {
    const { decision, ...fields } = ctx.body;
    if (!isSigned(key, fields)) return { status: 400, body: page(ctx, 'bad_link', html`<p>${ctx.t('bad_link_text')}</p>`) };
    if (decision === 'pay') {
      const notification = {
        out_trade_no: fields.out_trade_no ?? '',
        // One payment per order, however often the button is pressed: the same notification again, as gateways send it.
        trade_no: `SB${fields.out_trade_no}`,
        money: fields.money ?? '',
        trade_status: 'TRADE_SUCCESS',
      };
      await notify(svc, String(fields.notify_url), { ...notification, sign: sign(key, notification) });
    }
    return { status: 302, headers: { Location: String(fields.return_url) }, body: '' };
  });
});

/** The key of this installation, made at the first start. */
async function signingKey(svc) {
  const stored = await svc.svc_plugin_option_get(SLUG, 'signing_key', '');
  if (stored) return String(stored);
  const key = randomBytes(32).toString('hex');
  await svc.svc_plugin_option_set(SLUG, 'signing_key', key);
  return key;
}

/** HMAC-SHA256 over the sorted, non-empty fields without the signature itself. */
function sign(key, fields) {
  const text = Object.keys(fields)
    .filter((name) => name !== 'sign' && fields[name] !== '' && fields[name] !== undefined)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
  return createHmac('sha256', key).update(text).digest('hex');
}

function isSigned(key, fields) {
  const expected = Buffer.from(sign(key, fields));
  const given = Buffer.from(String(fields.sign ?? ''));
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/**
 * Calls the panel back as a gateway's server would. The address is this panel's own, which `svc_http_post` refuses where
 * it is internal; a gateway on the outside is under no such rule.
 */
async function notify(svc, url, fields) {
  for (const pause of NOTIFY_PAUSES) {
    if (pause) await new Promise((resolve) => setTimeout(resolve, pause).unref());
    try {
      const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), signal: AbortSignal.timeout(10_000) });
      if ((await response.text()).toLowerCase().includes('success')) return;
    } catch (error) {
      svc.log.warn('the notification did not get through', { url, reason: String(error) });
    }
  }
  await svc.svc_pay_log(`通知未被接受 ${fields.out_trade_no}`, 'error');
}

function page(ctx, titleKey, content) {
  const title = ctx.t(titleKey);
  return String(html`<!doctype html>
<html lang="${ctx.locale}">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="stylesheet" href="/app_plugins/${SLUG}/cashier.css">
</head>
<body><main><p class="badge">${ctx.t('badge')}</p><h1>${title}</h1>${content}</main></body>
</html>`);
}

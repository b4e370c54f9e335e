import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import { refuse } from '@svc/gateway-kit';
import { cardPage, siteLink } from '@svc/page-kit';
import { currency, definePlugin, html, type CallContext, type HttpReply, type SafeHtml, type SvcFacade } from '@svc/sdk';

const SLUG = 'sandbox';
/** Delays before each notification attempt, in milliseconds; real gateways retry over hours. */
const NOTIFY_PAUSES = [0, 1_000, 5_000];
/** The only notification state that means a payment. */
const PAID = 'TRADE_SUCCESS';
const ORDER_NUMBER = /^[0-9A-Za-z_-]{1,40}$/;
/** Purpose of a signature. */
type Purpose = 'checkout' | 'notify' | 'return';
type Fields = Readonly<Record<string, string | undefined>>;

const MONEY = /^\d{1,9}(?:\.\d{1,2})?$/;

/**
 * A gateway that takes no money. Its checkout is a signed page of the panel itself; paying there sends a signed notification like that of a
 * real gateway, from outside over HTTP. It does not start in production.
 */
export default definePlugin(async (svc) => {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('The sandbox gateway takes no real money, so it does not run when NODE_ENV is production.');
  }
  const key = await signingKey(svc);

  svc.svc_register_payment(SLUG, {
    name: '沙箱支付 Sandbox',
    demo: true,
    currencies: 'any',
    methods: { test: { name: '沙箱支付（不收费） Sandbox (no real money)', icon: 'mdi-flask-outline' } },
    build: (order) => {
      const fields = {
        out_trade_no: order.out_trade_no,
        money: order.money,
        name: order.name,
        notify_url: order.notify_url,
        return_url: order.return_url,
      };
      return `/pay/${SLUG}/checkout?${new URLSearchParams({ ...fields, sign: sign(key, 'checkout', fields) })}`;
    },
    notify: async (ctx) => {
      const fields: Fields = { ...ctx.query, ...ctx.body };
      const number = ORDER_NUMBER.test(fields.out_trade_no ?? '') ? fields.out_trade_no! : '';
      if (!isSigned(key, 'notify', fields)) {
        await refuse(svc, 'signature', number);
        return 'fail';
      }
      // Signed, but not a payment: closed, pending, or without an amount.
      if (number === '' || fields.trade_status !== PAID || !MONEY.test(fields.money ?? '') || !fields.trade_no) {
        await refuse(svc, 'unpaid', number);
        return 'fail';
      }
      const result = await svc.svc_pay_settle_order(number, SLUG, { trade_no: fields.trade_no, money: fields.money, raw: fields });
      return result.ok ? 'success' : 'fail';
    },
    // Redirects the browser to the order; settles nothing.
    return: async (ctx) => {
      if (!isSigned(key, 'return', ctx.query)) return null;
      const order = await svc.orders.get(ctx.query.out_trade_no ?? '');
      return order && `${order.pay_url}&done=1`;
    },
  });

  const badLink = (ctx: CallContext): HttpReply => ({
    status: 400,
    body: page(svc, ctx, 'bad_link', html`<p>${ctx.t('bad_link_text')}</p>${siteLink(svc)}`),
  });
  svc.svc_register_route('GET', `/pay/${SLUG}/checkout`, (_params, ctx) => {
    if (!isSigned(key, 'checkout', ctx.query)) return badLink(ctx);
    const { sign: signature, ...fields } = ctx.query;
    return page(
      svc,
      ctx,
      'title',
      html`
        <dl>
          <dt>${ctx.t('item')}</dt><dd>${fields.name}</dd>
          <dt>${ctx.t('order')}</dt><dd>${fields.out_trade_no}</dd>
        </dl>
        <p class="amount">${currency().sign}${fields.money}</p>
        <form method="post" action="/pay/${SLUG}/checkout">
          ${Object.entries({ ...fields, sign: signature }).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
          )}
          <button name="decision" value="pay">${ctx.t('pay')}</button>
          <button name="decision" value="cancel" class="quiet">${ctx.t('cancel')}</button>
        </form>
        <p class="hint">${ctx.t('hint')}</p>
      `,
    );
  });

  svc.svc_register_route('POST', `/pay/${SLUG}/checkout`, async (_params, ctx) => {
    const { decision, ...fields } = ctx.body;
    if (!isSigned(key, 'checkout', fields)) return badLink(ctx);
    if (decision === 'pay') {
      const notification = {
        out_trade_no: fields.out_trade_no ?? '',
        // One payment per order, however often the button is clicked: gateways also repeat notifications.
        trade_no: `SB${fields.out_trade_no}`,
        money: fields.money ?? '',
        trade_status: PAID,
      };
      await notify(svc, String(fields.notify_url), { ...notification, sign: sign(key, 'notify', notification) });
    }
    const back = { out_trade_no: fields.out_trade_no ?? '' };
    const url = `${fields.return_url}?${new URLSearchParams({ ...back, sign: sign(key, 'return', back) })}`;
    return { status: 302, headers: { Location: url }, body: '' };
  });
});

/** Key of this installation, created at the first start. */
async function signingKey(svc: SvcFacade): Promise<string> {
  const stored = await svc.svc_plugin_option_get(SLUG, 'signing_key', '');
  if (stored) return String(stored);
  const key = randomBytes(32).toString('hex');
  await svc.svc_plugin_option_set(SLUG, 'signing_key', key);
  return key;
}

/**
 * HMAC-SHA256 over the purpose (`checkout`, `notify`, `return`) and the sorted, non-empty fields except the signature. The purpose prevents
 * replaying one kind of message as another: the buyer sees the signed checkout link in the address bar.
 */
function sign(key: string, purpose: Purpose, fields: Fields): string {
  const text = Object.keys(fields)
    .filter((name) => name !== 'sign' && fields[name] !== '' && fields[name] !== undefined)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
  return createHmac('sha256', key).update(`${purpose}\n${text}`).digest('hex');
}

function isSigned(key: string, purpose: Purpose, fields: Fields): boolean {
  const expected = Buffer.from(sign(key, purpose, fields));
  const given = Buffer.from(String(fields.sign ?? ''));
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/**
 * Calls the panel like a gateway's server. Uses `fetch`, because the target is the panel's own URL, which `svc_http_post` rejects if it is
 * internal.
 */
async function notify(svc: SvcFacade, url: string, fields: Record<string, string>): Promise<void> {
  for (const pause of NOTIFY_PAUSES) {
    if (pause) await new Promise((resolve) => setTimeout(resolve, pause).unref());
    try {
      const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), signal: AbortSignal.timeout(10_000) });
      if ((await response.text()).toLowerCase().includes('success')) return;
    } catch (error) {
      svc.log.warn('the notification failed', { url, reason: String(error) });
    }
  }
  await svc.svc_pay_log({ key: 'log_not_taken', params: { number: fields.out_trade_no ?? '' } }, 'error');
}

function page(svc: SvcFacade, ctx: CallContext, titleKey: string, content: SafeHtml): string {
  return cardPage(ctx, { titleKey, svc, style: 'cashier.css', badgeKey: 'badge' }, content);
}

import { createHmac, randomBytes } from 'node:crypto';

import { isSameText, jsonOf, orderNumberOf } from '@svc/gateway-kit';
import { cardPage, siteLink } from '@svc/page-kit';
import { html, type CallContext, type OrderRecord, type RouteResult, type SafeHtml, type SvcFacade } from '@svc/sdk';

import { WechatApi } from './wechat-api.js';
import type { WechatConfig } from './wechat-config.js';

/** Path to which WeChat redirects after identifying the buyer. */
export const JSAPI_PATH = '/pay/wechatpay/jsapi';
const AUTHORIZE = 'https://open.weixin.qq.com/connect/oauth2/authorize';
const TOKEN = '/sns/oauth2/access_token';

/** First step: WeChat identifies the buyer, as payments within it require. */
export function authorizeUrl(config: WechatConfig, { siteurl, out_trade_no }: OrderRecord): string {
  const query = new URLSearchParams({
    appid: config.appid,
    redirect_uri: `${siteurl}${JSAPI_PATH}`,
    response_type: 'code',
    scope: 'snsapi_base',
    state: `${out_trade_no}.${stateOf(config, out_trade_no)}`,
  });
  return `${AUTHORIZE}?${query}#wechat_redirect`;
}

/** Second step: creates the order for this buyer, and opens WeChat's payment window. */
export async function payWithin(svc: SvcFacade, config: WechatConfig | null, ctx: CallContext): Promise<RouteResult> {
  const [given = '', signature = ''] = (ctx.query.state ?? '').split('.');
  const number = orderNumberOf(given);
  if (!config || number === '' || !isSameText(signature, stateOf(config, number))) return refused(svc, ctx);
  const order = await svc.orders.get(number);
  if (!order) return refused(svc, ctx);
  const openid = order.status === 'unpaid' ? await openidOf(svc, config, ctx.query.code ?? '') : null;
  if (!openid) return { status: 302, headers: { Location: order.pay_url }, body: '' };
  const prepay = await new WechatApi(svc, config, ctx).place(order, 'jsapi', 'prepay_id', { payer: { openid } });
  const [timeStamp, nonceStr, prepayId] = [String(Math.floor(Date.now() / 1_000)), randomBytes(16).toString('hex'), `prepay_id=${prepay}`];
  const paySign = config.sign([config.appid, timeStamp, nonceStr, prepayId]);
  const request = JSON.stringify({ appId: config.appid, timeStamp, nonceStr, package: prepayId, signType: 'RSA', paySign });
  return page(
    svc,
    ctx,
    html`<p>${ctx.t('within_open')}</p><p><a href="${order.pay_url}&done=1">${ctx.t('within_done')}</a></p>
      <div id="request" data-request="${request}" data-done="${order.pay_url}&done=1"></div>
      <script src="${svc.asset('within.js')}"></script>`,
  );
}

/** Returns the buyer's id for this application; null if WeChat does not return one. */
async function openidOf(svc: SvcFacade, { appid, appSecret, identityApi }: WechatConfig, code: string): Promise<string | null> {
  if (code === '') return null;
  const query = new URLSearchParams({ appid, secret: appSecret, code, grant_type: 'authorization_code' });
  const { body } = await svc.svc_http_get(`${identityApi}${TOKEN}?${query}`);
  const openid = jsonOf(body)?.openid;
  return typeof openid === 'string' ? openid : null;
}

function stateOf({ apiv3Key }: WechatConfig, number: string): string {
  return createHmac('sha256', apiv3Key).update(`jsapi\n${number}`).digest('hex').slice(0, 40);
}

function refused(svc: SvcFacade, ctx: CallContext): RouteResult {
  return { status: 400, body: page(svc, ctx, html`<p>${ctx.t('within_refused')}</p>${siteLink(svc)}`) };
}

function page(svc: SvcFacade, ctx: CallContext, content: SafeHtml): string {
  return cardPage(ctx, { titleKey: 'title', svc, style: 'wechatpay.css' }, content);
}

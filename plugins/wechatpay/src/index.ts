import { GatewaySettings, jsonOf, notSetUp, orderNumberOf, refuse } from '@svc/gateway-kit';
import {
  definePlugin,
  type BuildOptions,
  type BuildResult,
  type CallContext,
  type GatewayCallContext,
  type OrderRecord,
  type SvcFacade,
} from '@svc/sdk';

import { paymentOf } from './transaction.js';
import { WechatApi } from './wechat-api.js';
import { WECHAT_FIELDS, WechatConfig } from './wechat-config.js';
import { authorizeUrl, JSAPI_PATH, payWithin } from './within-wechat.js';

const SLUG = 'wechatpay';
/** Answer to a notification that was not accepted; WeChat Pay sends it again. */
const FAILED = { status: 400, body: { code: 'FAIL', message: '失败' } };
const TAKEN = { status: 204 };

/** Gateway for WeChat Pay, API v3. */
export default definePlugin((svc) => {
  const settings = new GatewaySettings(svc, { order: 30, fields: WECHAT_FIELDS });
  const config = async (): Promise<WechatConfig | null> => WechatConfig.of(await settings.read());
  const api = async (ctx: GatewayCallContext): Promise<WechatApi> => {
    const present = await config();
    if (!present) throw new Error(ctx.t('not_set_up'));
    return new WechatApi(svc, present, ctx);
  };

  settings.register();
  svc.svc_register_route('GET', JSAPI_PATH, async (_params, ctx) => payWithin(svc, await config(), ctx), 0);
  svc.svc_register_payment(SLUG, {
    name: '微信支付 WeChat Pay',
    methods: {
      native: { name: '微信扫码 WeChat Pay QR code', icon: 'mdi-wechat' },
      h5: { name: '微信支付（手机浏览器）WeChat Pay (phone browser)', icon: 'mdi-cellphone' },
      jsapi: { name: '微信支付（微信内）WeChat Pay (in WeChat)', icon: 'mdi-wechat' },
    },
    limits: { least: 1, most: 500_000_000 },
    ready: async () => (await config()) !== null,
    build: async (order, method, options) => {
      const present = await config();
      if (present) return toWechat(svc, present, order, method, options);
      return notSetUp(svc, order.out_trade_no);
    },
    notify: async (ctx) => ((await isTaken(svc, await config(), ctx)) ? TAKEN : FAILED),
    // WeChat sends no data with the return: the browser knows its order, and nothing is settled.
    return: () => null,
    query: async (order, ctx) => (await api(ctx)).query(order),
    refund: async (order, request, ctx) => (await api(ctx)).refund(order, request),
    test: async (ctx) => {
      const present = await config();
      return present ? new WechatApi(svc, present, ctx).test() : { ok: false, msg: ctx.t('not_set_up') };
    },
  });
});

async function toWechat(
  svc: SvcFacade,
  config: WechatConfig,
  order: OrderRecord,
  method: string,
  { ip }: BuildOptions,
): Promise<BuildResult> {
  const api = new WechatApi(svc, config, { locale: 'zh-CN', t: (key) => key });
  if (method === 'native') return { qrcode: await api.place(order, 'native', 'code_url') };
  if (method === 'jsapi') return config.appSecret ? { redirect: authorizeUrl(config, order) } : false;
  const scene = { scene_info: { payer_client_ip: ip ?? '127.0.0.1', h5_info: { type: 'Wap' } } };
  return { redirect: `${await api.place(order, 'h5', 'h5_url', scene)}&redirect_url=${encodeURIComponent(order.return_url)}` };
}

/** Whether a notification was accepted: of a payment that was settled, or of a refund, which changes nothing here. */
async function isTaken(svc: SvcFacade, config: WechatConfig | null, ctx: CallContext): Promise<boolean> {
  if (!config) return refuse(svc, 'unset');
  if (ctx.method !== 'POST') return refuse(svc, 'not_post');
  const doubt = config.doubt(ctx.headers, ctx.rawBody);
  if (doubt) return refuse(svc, doubt);
  const event = jsonOf(ctx.rawBody.toString('utf8'));
  const opened = event && config.open(event.resource);
  const transaction = opened ? jsonOf(opened) : null;
  if (!event || !transaction) return refuse(svc, 'sealed');
  if (String(event.event_type).startsWith('REFUND.')) return true;
  const number = orderNumberOf(String(transaction.out_trade_no ?? ''));
  if (event.event_type !== 'TRANSACTION.SUCCESS') return refuse(svc, 'unpaid', number);
  if (transaction.mchid !== config.mchid || transaction.appid !== config.appid) return refuse(svc, 'other_merchant', number);
  const payment = paymentOf(transaction);
  if (number === '' || payment?.state !== 'paid') return refuse(svc, 'incomplete', number);
  const { trade_no, amount, currency } = payment;
  return (await svc.svc_pay_settle_order(number, SLUG, { trade_no, amount, currency, raw: transaction })).ok;
}

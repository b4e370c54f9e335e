import {
  fenOf,
  formPage,
  GatewaySettings,
  notSetUp,
  orderNumberOf,
  refuse,
  sentFields,
  tradeNumberOf,
  type Fields,
} from '@svc/gateway-kit';
import { definePlugin, type BuildOptions, type BuildResult, type GatewayCallContext, type OrderRecord, type SvcFacade } from '@svc/sdk';

import { ALIPAY_FIELDS, AlipayConfig } from './alipay-config.js';
import { AlipayApi, isPaid, subjectOf } from './alipay-api.js';

const SLUG = 'alipay';

/** Alipay's official API: pages for computers and phones, and QR codes. */
export default definePlugin((svc) => {
  const settings = new GatewaySettings(svc, { order: 20, fields: ALIPAY_FIELDS });
  const config = async (): Promise<AlipayConfig | null> => AlipayConfig.of(await settings.read());
  const api = async (ctx: GatewayCallContext): Promise<AlipayApi> => {
    const present = await config();
    if (!present) throw new Error(ctx.t('not_set_up'));
    return new AlipayApi(svc, present, ctx);
  };

  settings.register();
  svc.svc_register_payment(SLUG, {
    name: '支付宝 Alipay',
    methods: {
      pc: { name: '支付宝 Alipay', icon: 'mdi-alpha-a-circle-outline' },
      qrcode: { name: '支付宝扫码 Alipay QR code', icon: 'mdi-qrcode' },
    },
    limits: { least: 1, most: 10_000_000_000 },
    ready: async () => (await config()) !== null,
    build: async (order, method, options) => {
      const present = await config();
      if (present) return toAlipay(svc, present, order, method, options);
      return notSetUp(svc, order.out_trade_no);
    },
    notify: async (ctx) => (ctx.method === 'POST' && (await isTaken(svc, await config(), sentFields(ctx))) ? 'success' : 'fail'),
    // Redirects the browser to the order; settles nothing.
    return: async (ctx) => {
      const [present, fields] = [await config(), sentFields(ctx)];
      if (!present?.isNotification(fields) || fields.app_id !== present.appId) return null;
      const order = await svc.orders.get(orderNumberOf(fields.out_trade_no));
      return order && `${order.pay_url}&done=1`;
    },
    query: async (order, ctx) => (await api(ctx)).query(order),
    refund: async (order, request, ctx) => (await api(ctx)).refund(order, request),
    test: async (ctx) => {
      const present = await config();
      return present ? new AlipayApi(svc, present, ctx).test() : { ok: false, msg: ctx.t('not_set_up') };
    },
  });
});

async function toAlipay(
  svc: SvcFacade,
  config: AlipayConfig,
  order: OrderRecord,
  method: string,
  { device, locale }: BuildOptions,
): Promise<BuildResult> {
  const { out_trade_no, money, name, notify_url, return_url } = order;
  if (method === 'qrcode') {
    const words = { locale: 'zh-CN', t: (key: string): string => key };
    return { qrcode: await new AlipayApi(svc, config, words).qrcode(order) };
  }
  const isPhone = device === 'mobile';
  const content = {
    out_trade_no,
    total_amount: money,
    subject: subjectOf(name),
    product_code: isPhone ? 'QUICK_WAP_WAY' : 'FAST_INSTANT_TRADE_PAY',
  };
  const fields = config.request(isPhone ? 'alipay.trade.wap.pay' : 'alipay.trade.page.pay', content, { notify_url, return_url });
  // The encoding of the form is part of the URL: Alipay reads it before the fields.
  return { html: formPage(svc, `${config.gateway}?charset=utf-8`, fields, locale) };
}

/** Whether a notification was accepted: of a payment that was settled, or of a refund, which changes nothing here. */
async function isTaken(svc: SvcFacade, config: AlipayConfig | null, fields: Fields): Promise<boolean> {
  const number = orderNumberOf(fields.out_trade_no);
  if (!config) return refuse(svc, 'unset', number);
  if (!config.isNotification(fields)) return refuse(svc, 'signature', number);
  if (fields.app_id !== config.appId) return refuse(svc, 'other_app', number);
  if (config.sellerId && fields.seller_id !== config.sellerId) return refuse(svc, 'other_seller', number);
  const amount = fenOf(fields.total_amount);
  const tradeNumber = tradeNumberOf(fields.trade_no);
  if (number === '' || tradeNumber === '' || amount === null) return refuse(svc, 'incomplete', number);
  // Refunds are announced by notifications of the original payment.
  if (fields.gmt_refund || fields.refund_fee) return true;
  if (!isPaid(fields.trade_status)) return refuse(svc, 'unpaid', number);
  const { sign: _sign, ...raw } = fields;
  return (await svc.svc_pay_settle_order(number, SLUG, { trade_no: tradeNumber, amount, currency: 'CNY', raw })).ok;
}

import {
  cutBytes,
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
import { definePlugin, type CallContext, type GatewayCallContext, type GatewayRefundResult, type SvcFacade } from '@svc/sdk';

import { EpayApi } from './epay-api.js';
import { EPAY_FIELDS, EpayConfig } from './epay-config.js';
import { RefundRepository } from './refund-repository.js';

const SLUG = 'epay';
/** Maximum length of the item's name at the platform, in bytes. */
const MAX_NAME = 127;
/** The only notification state that means a payment. */
const PAID = 'TRADE_SUCCESS';

/** Gateway for platforms with the Epay protocol, V1 (MD5) or V2 (RSA). */
export default definePlugin(async (svc) => {
  const settings = new GatewaySettings(svc, { order: 10, fields: EPAY_FIELDS });
  const refunds = new RefundRepository(svc);
  await refunds.prepare();
  const config = async (): Promise<EpayConfig | null> => EpayConfig.of(await settings.read());
  const api = async (ctx: GatewayCallContext): Promise<EpayApi> => {
    const present = await config();
    if (!present) throw new Error(ctx.t('not_set_up'));
    return new EpayApi(svc, present, ctx);
  };

  settings.register();
  svc.svc_register_payment(SLUG, {
    name: '易支付 Epay',
    methods: {
      alipay: { name: '支付宝 Alipay', icon: 'mdi-alpha-a-circle-outline' },
      wxpay: { name: '微信支付 WeChat Pay', icon: 'mdi-wechat' },
      qqpay: { name: 'QQ 钱包 QQ Wallet', icon: 'mdi-qqchat' },
      bank: { name: '银行卡 Bank card', icon: 'mdi-credit-card-outline' },
    },
    ready: async () => (await config()) !== null,
    build: async (order, method, { locale }) => {
      const present = await config();
      if (!present) return notSetUp(svc, order.out_trade_no);
      const { notify_url, return_url, out_trade_no, money } = order;
      const name = cutBytes(order.name, MAX_NAME);
      const fields = present.signed({ pid: present.pid, type: method, out_trade_no, notify_url, return_url, name, money });
      const action = `${present.api}${present.signType === 'MD5' ? '/submit.php' : '/api/pay/submit'}`;
      return { html: formPage(svc, action, fields, locale) };
    },
    notify: async (ctx) => ((await isTaken(svc, await config(), sentFields(ctx))) ? 'success' : 'fail'),
    // Redirects the browser to the order; settles nothing.
    return: async (ctx) => cameBack(svc, await config(), ctx),
    query: async (order, ctx) => (await api(ctx)).query(order),
    refund: async (order, request, ctx) => {
      const client = await api(ctx);
      const requestRefund = (): Promise<GatewayRefundResult> => client.refund(order, request);
      if (client.knowsRefunds) return requestRefund();
      return refunds.once(request.id, ctx.t('refund_unknown'), requestRefund, () => client.isRefunded(order, request));
    },
    test: async (ctx) => {
      const present = await config();
      return present ? new EpayApi(svc, present, ctx).test() : { ok: false, msg: ctx.t('not_set_up') };
    },
  });
});

/** Whether a notification of a payment was valid and settled. */
async function isTaken(svc: SvcFacade, config: EpayConfig | null, fields: Fields): Promise<boolean> {
  const number = orderNumberOf(fields.out_trade_no);
  if (!config) return refuse(svc, 'unset', number);
  if (!config.isSigned(fields)) return refuse(svc, 'signature', number);
  if (fields.pid !== config.pid) return refuse(svc, 'other_merchant', number);
  const amount = fenOf(fields.money);
  const tradeNumber = tradeNumberOf(fields.trade_no);
  if (number === '' || tradeNumber === '' || amount === null) return refuse(svc, 'incomplete', number);
  if (fields.trade_status !== PAID) return refuse(svc, 'unpaid', number);
  const { sign: _sign, ...raw } = fields;
  return (await svc.svc_pay_settle_order(number, SLUG, { trade_no: tradeNumber, amount, raw })).ok;
}

async function cameBack(svc: SvcFacade, config: EpayConfig | null, ctx: CallContext): Promise<string | null> {
  const fields = sentFields(ctx);
  if (!config?.isSigned(fields) || fields.pid !== config.pid) return null;
  const order = await svc.orders.get(orderNumberOf(fields.out_trade_no));
  return order && `${order.pay_url}&done=1`;
}

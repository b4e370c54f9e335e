import { jsonOf, noAnswer, theirWords } from '@svc/gateway-kit';
import type {
  GatewayCallContext,
  GatewayPayment,
  GatewayRefundRequest,
  GatewayRefundResult,
  GatewayTestResult,
  HttpResponse,
  OrderRecord,
  SvcFacade,
} from '@svc/sdk';

import { paymentOf } from './transaction.js';
import type { WechatConfig } from './wechat-config.js';

/** An order number that never exists, to test the connection. */
const TEST_ORDER = 'CONNECTIONTEST';
const NO_ORDER = /^ORDER_?NOT_?EXISTS?$/;
/** Maximum length of the item's description, in characters. */
const MAX_DESCRIPTION = 127;

type Words = Pick<GatewayCallContext, 'locale' | 't'>;
/** A verified answer; `status` is the HTTP status. */
interface Reply {
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Client of WeChat Pay's API v3, whose answers are signed. */
export class WechatApi {
  constructor(
    private readonly svc: SvcFacade,
    private readonly config: WechatConfig,
    private readonly ctx: Words,
  ) {}

  /**
   * Creates an order at WeChat Pay. @param kind of payment @returns the given field of the answer @throws Error with WeChat Pay's message
   */
  async place(
    order: Pick<OrderRecord, 'name' | 'out_trade_no' | 'notify_url' | 'amount'>,
    kind: string,
    field: string,
    more: object = {},
  ): Promise<string> {
    const { fields, status } = await this.call('POST', `/v3/pay/transactions/${kind}`, {
      appid: this.config.appid,
      mchid: this.config.mchid,
      description: Array.from(order.name).slice(0, MAX_DESCRIPTION).join(''),
      out_trade_no: order.out_trade_no,
      notify_url: order.notify_url,
      amount: { total: order.amount, currency: 'CNY' },
      ...more,
    });
    const value = fields[field];
    if (status !== 200 || typeof value !== 'string') throw new Error(wordsOf(fields));
    return value;
  }

  async query({ out_trade_no }: OrderRecord): Promise<GatewayPayment> {
    const { fields, status } = await this.call('GET', `/v3/pay/transactions/out-trade-no/${out_trade_no}?mchid=${this.config.mchid}`);
    // WeChat Pay knows an order only after the buyer has opened it.
    if (status === 404 && NO_ORDER.test(String(fields.code))) return { state: 'unpaid' };
    if (status !== 200) throw new Error(wordsOf(fields));
    if (fields.out_trade_no !== out_trade_no || fields.mchid !== this.config.mchid) throw new Error(this.ctx.t('other_order'));
    const payment = paymentOf(fields);
    if (!payment) throw new Error(this.ctx.t('strange_answer'));
    return payment;
  }

  async refund(_order: OrderRecord, { id, amount, paid, trade_no, reason }: GatewayRefundRequest): Promise<GatewayRefundResult> {
    const { fields, status } = await this.call('POST', '/v3/refund/domestic/refunds', {
      transaction_id: trade_no,
      out_refund_no: id,
      ...(reason && { reason: Array.from(reason).slice(0, 80).join('') }),
      amount: { refund: amount, total: paid, currency: 'CNY' },
    });
    // Temporary errors of WeChat Pay may succeed on a retry.
    if (status >= 500 || status === 429) throw new Error(wordsOf(fields));
    if (status !== 200) return { state: 'refused', msg: wordsOf(fields) };
    const refund_no = String(fields.refund_id ?? '');
    if (fields.status === 'SUCCESS') return { state: 'done', refund_no };
    if (fields.status === 'PROCESSING') return { state: 'pending', refund_no };
    return { state: 'refused', msg: this.ctx.t('refund_stuck', { state: theirWords(fields.status) }) };
  }

  async test(): Promise<GatewayTestResult> {
    const { t } = this.ctx;
    try {
      const { fields, status } = await this.call('GET', `/v3/pay/transactions/out-trade-no/${TEST_ORDER}?mchid=${this.config.mchid}`);
      const words = wordsOf(fields);
      if (status === 401) return { ok: false, msg: t('refused_signature', { words }) };
      if (status === 403) return { ok: false, msg: t('refused_permission', { words }) };
      if (status !== 200 && !NO_ORDER.test(String(fields.code)))
        return { ok: false, msg: t(/mch/i.test(`${String(fields.code)} ${words}`) ? 'refused_mchid' : 'refused_else', { words }) };
      return (await this.opensCertificates()) ? { ok: true, msg: t('test_fine') } : { ok: false, msg: t('wrong_apiv3') };
    } catch (error) {
      return { ok: false, msg: (error as Error).message };
    }
  }

  /** Whether the APIv3 key decrypts WeChat Pay's certificates; true if there are none for this merchant. */
  private async opensCertificates(): Promise<boolean> {
    const { fields, status } = await this.call('GET', '/v3/certificates');
    const [first] = status === 200 && Array.isArray(fields.data) ? (fields.data as { encrypt_certificate?: unknown }[]) : [];
    return !first || this.config.open(first.encrypt_certificate) !== null;
  }

  /** @throws Error without secrets in its message: no answer, or one without WeChat Pay's signature */
  private async call(method: 'GET' | 'POST', path: string, content?: object): Promise<Reply> {
    const { config, svc, ctx } = this;
    const body = content ? JSON.stringify(content) : '';
    const headers = config.headers(method, path, body);
    const url = `${config.api}${path}`;
    const answer: HttpResponse = await (method === 'GET' ? svc.svc_http_get(url, headers) : svc.svc_http_post(url, body, headers));
    const silence = noAnswer(answer, ctx.locale);
    if (silence) throw new Error(silence);
    const fields = jsonOf(answer.body);
    if (!fields) throw new Error(ctx.t('not_wechat', { status: answer.code }));
    const doubt = config.doubt(answer.headers, answer.body);
    // Errors before authentication are not signed; only their message is used.
    const isRefusal = answer.code >= 400 && typeof fields.code === 'string' && !NO_ORDER.test(fields.code);
    if (doubt && !isRefusal) throw new Error(ctx.t(`answer_${doubt}`, { serial: theirWords(answer.headers['wechatpay-serial']) }));
    return { status: answer.code, fields };
  }
}

function wordsOf({ code, message }: Readonly<Record<string, unknown>>): string {
  return theirWords([message, code && `(${String(code)})`].filter(Boolean).join(' '));
}

import { fenOf, jsonOf, noAnswer, textsOf, theirWords, yuanOf, type Fields } from '@svc/gateway-kit';
import type {
  GatewayCallContext,
  GatewayPayment,
  GatewayRefundRequest,
  GatewayRefundResult,
  GatewayTestResult,
  OrderRecord,
  SvcFacade,
} from '@svc/sdk';

import type { EpayConfig } from './epay-config.js';

/** Success codes of the platform: V1 and V2 differ. */
const FINE = { MD5: '1', RSA: '0' } as const;
/** Order states; 2 means refunded, fully or partly. */
const STATES: Readonly<Record<string, GatewayPayment['state']>> = { 0: 'unpaid', 1: 'paid', 2: 'refunded' };

/** Client of the platform's API: api.php of V1, /api/ of V2. */
export class EpayApi {
  constructor(
    private readonly svc: SvcFacade,
    private readonly config: EpayConfig,
    private readonly ctx: GatewayCallContext,
  ) {}

  /** @throws Error with the platform's message */
  async query({ out_trade_no }: OrderRecord): Promise<GatewayPayment> {
    const { config } = this;
    const reply =
      config.signType === 'MD5'
        ? await this.get({ act: 'order', pid: config.pid, key: config.key, out_trade_no })
        : await this.post('/api/pay/query', { out_trade_no });
    if (reply.code !== FINE[config.signType]) {
      // The platform knows an order only after the buyer has opened it.
      if (/不存在|not (?:found|exist)/i.test(reply.msg ?? '') && /订单|order/i.test(reply.msg ?? '')) return { state: 'unpaid' };
      throw new Error(theirWords(reply.msg));
    }
    if (reply.out_trade_no !== out_trade_no) throw new Error(this.ctx.t('other_order'));
    const state = STATES[reply.status ?? ''];
    if (state !== 'paid') return { state: state ?? 'unpaid' };
    const amount = fenOf(reply.money);
    if (amount === null || !reply.trade_no) throw new Error(this.ctx.t('strange_answer'));
    return { state, trade_no: reply.trade_no, amount };
  }

  /** Whether the platform deduplicates refunds by number; V1 does not, so the caller must send each refund only once. */
  get knowsRefunds(): boolean {
    return this.config.signType === 'RSA';
  }

  /** Whether the platform shows a payment as fully refunded: the only evidence of a refund with V1, which has no refund numbers. */
  async isRefunded(order: OrderRecord, { amount, paid }: GatewayRefundRequest): Promise<boolean> {
    return amount === paid && (await this.query(order)).state === 'refunded';
  }

  async refund({ out_trade_no }: OrderRecord, { id, amount, trade_no }: GatewayRefundRequest): Promise<GatewayRefundResult> {
    const { config } = this;
    const wanted = { trade_no, out_trade_no, money: yuanOf(amount) };
    const reply =
      config.signType === 'MD5'
        ? await this.form('/api.php?act=refund', { pid: config.pid, key: config.key, ...wanted })
        : await this.post('/api/pay/refund', { ...wanted, out_refund_no: id });
    if (reply.code !== FINE[config.signType]) return { state: 'refused', msg: theirWords(reply.msg) };
    return { state: 'done', ...(reply.refund_no && { refund_no: reply.refund_no }) };
  }

  async test(): Promise<GatewayTestResult> {
    const { config } = this;
    const { t } = this.ctx;
    let reply: Fields;
    try {
      reply =
        config.signType === 'MD5'
          ? await this.get({ act: 'query', pid: config.pid, key: config.key })
          : await this.post('/api/merchant/info', {});
    } catch (error) {
      return { ok: false, msg: (error as Error).message };
    }
    if (reply.code !== FINE[config.signType]) return { ok: false, msg: this.refusal(theirWords(reply.msg)) };
    if (reply.pid !== undefined && reply.pid !== config.pid) return { ok: false, msg: t('other_merchant', { pid: reply.pid }) };
    if ((reply.active ?? reply.status) === '0') return { ok: false, msg: t('merchant_blocked') };
    return { ok: true, msg: t(config.api.startsWith('https:') ? 'test_fine' : 'test_fine_http') };
  }

  /** Returns the platform's error with advice for common causes. */
  private refusal(words: string): string {
    const { t } = this.ctx;
    if (/签名|验签|sign/i.test(words)) return t(this.config.signType === 'MD5' ? 'refused_key' : 'refused_private_key', { words });
    if (/密钥|key/i.test(words)) return t('refused_key', { words });
    if (/商户|pid|merchant/i.test(words)) return t('refused_pid', { words });
    return t('refused_else', { words });
  }

  private get(query: Fields): Promise<Fields> {
    return this.read(this.svc.svc_http_get(`${this.config.api}/api.php?${new URLSearchParams(query)}`));
  }

  private form(path: string, fields: Fields): Promise<Fields> {
    return this.read(this.svc.svc_http_post(`${this.config.api}${path}`, new URLSearchParams(fields).toString()));
  }

  /** Sends a signed call of V2, whose answers are signed as well. */
  private async post(path: string, fields: Fields): Promise<Fields> {
    const reply = await this.form(path, this.config.signed({ pid: this.config.pid, ...fields }));
    if (reply.code === FINE.RSA && !this.config.isSigned(reply)) throw new Error(this.ctx.t('answer_not_signed'));
    return reply;
  }

  /** @throws Error without secrets in its message */
  private async read(sent: ReturnType<SvcFacade['svc_http_get']>): Promise<Fields> {
    const answer = await sent;
    const silence = noAnswer(answer, this.ctx.locale);
    if (silence) throw new Error(silence);
    const object = jsonOf(answer.body);
    if (!object || !['number', 'string'].includes(typeof object.code)) throw new Error(this.ctx.t('not_epay', { status: answer.code }));
    return textsOf(object);
  }
}

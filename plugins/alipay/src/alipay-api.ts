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

import type { AlipayConfig } from './alipay-config.js';
import { signedPart } from './signature.js';

const FINE = '10000';
/** Alipay itself does not know the outcome of the call. */
const UNKNOWN = '20000';
const NO_ORDER = 'ACQ.TRADE_NOT_EXIST';
/** An order number that never exists, to test the connection. */
const TEST_ORDER = 'CONNECTION-TEST';

type Words = Pick<GatewayCallContext, 'locale' | 't'>;

/** Client of Alipay's API, whose answers are signed like its notifications. */
export class AlipayApi {
  constructor(
    private readonly svc: SvcFacade,
    private readonly config: AlipayConfig,
    private readonly ctx: Words,
  ) {}

  /** Returns the content of an order's QR code. @throws Error with Alipay's message */
  async qrcode({ out_trade_no, money, name, notify_url }: OrderRecord): Promise<string> {
    const reply = await this.call(
      'alipay.trade.precreate',
      { out_trade_no, total_amount: money, subject: subjectOf(name) },
      { notify_url },
    );
    if (reply.code !== FINE || !reply.qr_code) throw new Error(wordsOf(reply));
    return reply.qr_code;
  }

  async query({ out_trade_no }: OrderRecord): Promise<GatewayPayment> {
    const reply = await this.call('alipay.trade.query', { out_trade_no });
    // Alipay knows an order only after the buyer has opened it.
    if (reply.sub_code === NO_ORDER) return { state: 'unpaid' };
    if (reply.code !== FINE) throw new Error(wordsOf(reply));
    if (reply.out_trade_no !== out_trade_no) throw new Error(this.ctx.t('other_order'));
    if (reply.trade_status === 'WAIT_BUYER_PAY') return { state: 'unpaid' };
    // Closed after payment: it was refunded in full.
    if (reply.trade_status === 'TRADE_CLOSED') return { state: reply.send_pay_date ? 'refunded' : 'closed' };
    const amount = fenOf(reply.total_amount);
    if (amount === null || !reply.trade_no || !isPaid(reply.trade_status)) throw new Error(this.ctx.t('strange_answer'));
    return { state: 'paid', trade_no: reply.trade_no, amount };
  }

  async refund({ out_trade_no }: OrderRecord, { id, amount, reason }: GatewayRefundRequest): Promise<GatewayRefundResult> {
    const reply = await this.call('alipay.trade.refund', {
      out_trade_no,
      refund_amount: yuanOf(amount),
      out_request_no: id,
      ...(reason && { refund_reason: reason.slice(0, 200) }),
    });
    if (reply.code === UNKNOWN || reply.sub_code === 'ACQ.SYSTEM_ERROR') throw new Error(wordsOf(reply));
    if (reply.code !== FINE) return { state: 'refused', msg: wordsOf(reply) };
    return { state: 'done', ...(reply.trade_no && { refund_no: reply.trade_no }) };
  }

  async test(): Promise<GatewayTestResult> {
    const { t } = this.ctx;
    let reply: Fields;
    try {
      reply = await this.call('alipay.trade.query', { out_trade_no: TEST_ORDER });
    } catch (error) {
      return { ok: false, msg: (error as Error).message };
    }
    if (reply.code === FINE || reply.sub_code === NO_ORDER) return { ok: true, msg: t('test_fine') };
    const words = wordsOf(reply);
    const why = REFUSALS.find(([pattern]) => pattern.test(reply.sub_code ?? ''))?.[1] ?? 'refused_else';
    return { ok: false, msg: t(why, { words }) };
  }

  /** @throws Error without secrets in its message: no answer, or one without Alipay's signature */
  private async call(method: string, content: object, more: Fields = {}): Promise<Fields> {
    const { config, ctx } = this;
    const answer = await this.svc.svc_http_post(config.gateway, new URLSearchParams(config.request(method, content, more)).toString());
    const silence = noAnswer(answer, ctx.locale);
    if (silence) throw new Error(silence);
    const whole = jsonOf(answer.body);
    const node = `${method.replaceAll('.', '_')}_response`;
    const reply = whole?.[node] ?? whole?.error_response;
    if (!whole || typeof reply !== 'object' || reply === null) throw new Error(ctx.t('not_alipay', { status: answer.code }));
    const fields = textsOf(reply as Record<string, unknown>);
    // Alipay does not always sign answers to requests it cannot parse; only their message is used.
    if (!whole.sign && fields.code !== FINE) return fields;
    const part = signedPart(answer.body, whole[node] ? node : 'error_response');
    if (part === null || !config.isTheirs(part, String(whole.sign))) {
      // An error is reported with Alipay's message, which is more helpful than a signature mismatch.
      if (/^isv\./.test(fields.sub_code ?? '')) return fields;
      throw new Error(ctx.t('answer_not_signed'));
    }
    return fields;
  }
}

const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/invalid-signature|missing-signature|signature/i, 'refused_signature'],
  [/invalid-app-id|app-id/i, 'refused_app'],
  [/cert/i, 'refused_certificate'],
  [/permission|not-have|ACCESS_FORBIDDEN/i, 'refused_permission'],
];

/** Whether the status of a trade means that it was paid. */
export function isPaid(status: string | undefined): boolean {
  return status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED';
}

/** Returns an item's name as Alipay accepts it: at most 256 characters, without forbidden ones. */
export function subjectOf(name: string): string {
  return name.replace(/[/=&]/g, ' ').slice(0, 256);
}

function wordsOf({ msg, sub_msg, sub_code }: Fields): string {
  return theirWords([sub_msg ?? msg, sub_code && `(${sub_code})`].filter(Boolean).join(' '));
}

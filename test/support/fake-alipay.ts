/** Fake Alipay gateway, written from the official documentation and independent of the plugin. */
import { createSign, createVerify, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { serveHttp, type LoopbackServer } from './loopback-server.js';

type Fields = Record<string, string>;

export const ALIPAY_FIXTURES = JSON.parse(readFileSync(new URL('../gateways/alipay-fixtures.json', import.meta.url), 'utf8')) as Record<
  'app_private' | 'app_private_pkcs1' | 'app_cert' | 'alipay_private' | 'alipay_cert' | 'root_cert',
  string
> & { notification: { form: string; public: string } };
export const APP_ID = '2021000000000001';
export const SELLER_ID = '2088201909970555';
export const ALIPAY_PUBLIC = String(new X509Certificate(ALIPAY_FIXTURES.alipay_cert).publicKey.export({ type: 'spki', format: 'pem' }));

interface Trade {
  tradeNumber: string;
  amount: string;
  notifyUrl: string;
  status: 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_CLOSED';
  refunds: Map<string, string>;
}

/** Fake gateway, and its buyer. */
export class FakeAlipay {
  readonly trades = new Map<string, Trade>();
  requests: Fields[] = [];
  /** Response body that replaces every answer, if set. */
  answer: string | undefined;

  private constructor(private readonly server: LoopbackServer) {}

  static async start(): Promise<FakeAlipay> {
    const server = await serveHttp((req, res) => {
      const query = Object.fromEntries(new URL(req.url!, 'http://fake').searchParams);
      void text(req).then((body) => res.end(fake.serve({ ...query, ...Object.fromEntries(new URLSearchParams(body)) })));
    });
    const fake: FakeAlipay = new FakeAlipay(server);
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/gateway.do`;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Signs a notification. */
  sign(fields: Fields): Fields {
    const names = Object.keys(fields).filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '');
    const content = names
      .sort()
      .map((name) => `${name}=${fields[name]}`)
      .join('&');
    return { ...fields, sign_type: 'RSA2', sign: signed(content) };
  }

  /** Returns the fields of a payment notification. */
  notification(number: string, change: Fields = {}): Fields {
    const { tradeNumber, amount } = this.trades.get(number)!;
    return this.sign({
      app_id: APP_ID,
      seller_id: SELLER_ID,
      out_trade_no: number,
      trade_no: tradeNumber,
      total_amount: amount,
      trade_status: 'TRADE_SUCCESS',
      notify_time: '2026-11-21 10:00:06',
      fund_bill_list: '[{"amount":"10.50","fundChannel":"ALIPAYACCOUNT"}]',
      subject: '虚拟主机 A+1 100%',
      charset: 'utf-8',
      ...change,
    });
  }

  /**
   * Pays as the buyer and notifies the panel.
   *
   * @returns the panel's response
   */
  async pay(number: string): Promise<string> {
    const trade = this.trades.get(number)!;
    trade.status = 'TRADE_SUCCESS';
    return (await fetch(trade.notifyUrl, { method: 'POST', body: new URLSearchParams(this.notification(number)) })).text();
  }

  private serve(fields: Fields): string {
    this.requests.push(fields);
    if (this.answer !== undefined) return this.answer;
    const node = `${fields.method!.replaceAll('.', '_')}_response`;
    const reply = JSON.stringify(this.reply(fields));
    return `{"${node}":${reply},"sign":"${signed(reply)}"}`;
  }

  private reply(fields: Fields): object {
    const failed = (sub_code: string, sub_msg: string, code = '40002') => ({ code, msg: 'Invalid Arguments', sub_code, sub_msg });
    if (fields.app_id !== APP_ID) return failed('isv.invalid-app-id', '无效的AppID参数');
    if (!isOfApp(fields)) return failed('isv.invalid-signature', '验签出错');
    const content = JSON.parse(fields.biz_content!) as Fields & { total_amount: string };
    const number = content.out_trade_no!;
    const fine = { code: '10000', msg: 'Success', out_trade_no: number };
    if (/page\.pay|wap\.pay|precreate/.test(fields.method!)) {
      this.trades.set(number, {
        tradeNumber: `2026112122001400${String(this.trades.size).padStart(12, '0')}`,
        amount: content.total_amount,
        notifyUrl: fields.notify_url!,
        status: 'WAIT_BUYER_PAY',
        refunds: new Map(),
      });
      return { ...fine, qr_code: `https://qr.alipay.com/${number}` };
    }
    const trade = this.trades.get(number);
    if (!trade) return failed('ACQ.TRADE_NOT_EXIST', '交易不存在', '40004');
    if (fields.method === 'alipay.trade.refund') {
      if (Number(content.refund_amount) > Number(trade.amount)) return failed('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限', '40004');
      const isNew = !trade.refunds.has(content.out_request_no!);
      trade.refunds.set(content.out_request_no!, content.refund_amount!);
      return { ...fine, trade_no: trade.tradeNumber, fund_change: isNew ? 'Y' : 'N' };
    }
    // The text has braces and quotes: the signed part must be found in the raw response.
    const subject = 'a "plan" } {\\';
    return { ...fine, subject, trade_no: trade.tradeNumber, total_amount: trade.amount, trade_status: trade.status };
  }
}

function signed(content: string): string {
  return createSign('RSA-SHA256').update(content).sign(ALIPAY_FIXTURES.alipay_private, 'base64');
}

function isOfApp(fields: Fields): boolean {
  const content = Object.keys(fields)
    .filter((name) => name !== 'sign' && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
  return createVerify('RSA-SHA256')
    .update(content)
    .verify(new X509Certificate(ALIPAY_FIXTURES.app_cert).publicKey, fields.sign ?? '', 'base64');
}

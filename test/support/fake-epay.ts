/**
 * Fake Epay platform, V1 (MD5) and V2 (RSA), written from the description of the protocol and independent of the plugin, with its own
 * signing code.
 */
import { createHash, createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { serveHttp, type LoopbackServer } from './loopback-server.js';

export type Fields = Record<string, string>;

const MERCHANT = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PLATFORM = generateKeyPairSync('rsa', { modulusLength: 2048 });
const body = (key: { export(options: { type: never; format: 'der' }): Buffer }, type: string): string =>
  key.export({ type: type as never, format: 'der' }).toString('base64');

/** Settings of the fake's merchant. */
export const FAKE_MERCHANT = {
  pid: '1001',
  key: '89unJUB8HZ54Hj7x4nUj56HN4nUzUJ8i',
  privateKey: body(MERCHANT.privateKey, 'pkcs8'),
  publicKey: body(PLATFORM.publicKey, 'spki'),
} as const;

interface Placed {
  tradeNumber: string;
  fields: Fields;
  status: '0' | '1' | '2' | '3';
  refunded: string[];
}

/** Fake platform, and its buyer. */
export class FakeEpay {
  readonly orders = new Map<string, Placed>();
  /** Separator between the text and the key when signing. */
  join = '';
  /** Returns an answer that replaces that of the API, if set. */
  answer: ((path: string) => object | string | null) | undefined;
  requests: { path: string; query: Fields; body: Fields }[] = [];
  private trade = 0;

  private constructor(private readonly server: LoopbackServer) {}

  static async start(): Promise<FakeEpay> {
    const server = await serveHttp((req, res) => void fake.serve(req).then((reply) => res.end(reply)));
    const fake: FakeEpay = new FakeEpay(server);
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Signs as the platform does. */
  sign(fields: Fields, signType: 'MD5' | 'RSA' = 'MD5', key: string = FAKE_MERCHANT.key): Fields {
    const text = joined(fields);
    const sign =
      signType === 'MD5' ? md5(`${text}${this.join}${key}`) : createSign('RSA-SHA256').update(text).sign(PLATFORM.privateKey, 'base64');
    return { ...fields, sign, sign_type: signType };
  }

  /** Returns the fields of a payment notification. */
  notification(number: string, money?: string): Fields {
    const { fields, tradeNumber } = this.orders.get(number)!;
    const { pid, type, name, notify_url: _notify, money: asked } = fields as Record<string, string> & { pid: string };
    const v2 = fields.sign_type === 'RSA';
    const sent: Fields = {
      pid,
      trade_no: tradeNumber,
      out_trade_no: number,
      type: type!,
      name: name!,
      // Newer servers shorten amounts: 10.50 becomes 10.5.
      money: money ?? String(Number(asked)),
      trade_status: 'TRADE_SUCCESS',
      ...(v2 && { api_trade_no: '4000', buyer: '', timestamp: String(Math.floor(Date.now() / 1_000)) }),
    };
    return this.sign(sent, v2 ? 'RSA' : 'MD5');
  }

  /**
   * Pays as the buyer: the platform notifies by GET and redirects back.
   *
   * @returns the panel's response, and the redirect URL
   */
  async pay(number: string): Promise<{ answer: string; back: string }> {
    const placed = this.orders.get(number)!;
    placed.status = '1';
    const query = new URLSearchParams(this.notification(number)).toString();
    const answer = await (await fetch(`${placed.fields.notify_url}?${query}`)).text();
    return { answer, back: `${placed.fields.return_url}?${query}` };
  }

  private async serve(req: IncomingMessage): Promise<string> {
    const url = new URL(req.url!, 'http://fake');
    const query = Object.fromEntries(url.searchParams);
    const sent = Object.fromEntries(new URLSearchParams(await text(req)));
    this.requests.push({ path: url.pathname, query, body: sent });
    const instead = this.answer?.(url.pathname);
    if (instead) return typeof instead === 'string' ? instead : JSON.stringify(instead);
    if (url.pathname === '/submit.php') return this.submit({ ...query, ...sent }, 'MD5');
    if (url.pathname === '/api/pay/submit') return this.submit({ ...query, ...sent }, 'RSA');
    if (url.pathname === '/api.php') return JSON.stringify(this.api({ ...query, ...sent }));
    if (!this.isFromMerchant(sent, 'RSA')) return JSON.stringify({ code: -1, msg: '签名校验失败' });
    const reply = this.apiV2(url.pathname, sent);
    return JSON.stringify(reply.code === '0' ? { ...this.sign(reply, 'RSA'), code: 0 } : reply);
  }

  private submit(fields: Fields, signType: 'MD5' | 'RSA'): string {
    if (!this.isFromMerchant(fields, signType)) return '签名校验失败';
    const number = fields.out_trade_no!;
    const present = this.orders.get(number);
    if (present && present.fields.money !== fields.money) return '订单金额不一致';
    if (!present)
      this.orders.set(number, {
        tradeNumber: `20160806225553${String((this.trade += 1)).padStart(5, '0')}`,
        fields,
        status: '0',
        refunded: [],
      });
    return 'cashier';
  }

  private api(fields: Fields): object {
    if (fields.pid !== FAKE_MERCHANT.pid) return { code: -3, msg: '商户ID不存在' };
    if (fields.key !== FAKE_MERCHANT.key) return { code: -3, msg: '商户密钥错误' };
    if (fields.act === 'query') return { code: 1, pid: 1001, key: fields.key, active: 1, money: '0.00' };
    const placed = this.orders.get(fields.out_trade_no ?? '');
    if (!placed) return { code: -1, msg: '订单号不存在' };
    if (fields.act === 'refund') {
      placed.refunded.push(fields.money!);
      return { code: 1, msg: '退款成功' };
    }
    const { tradeNumber, status, fields: order } = placed;
    return {
      code: 1,
      msg: 'succ',
      trade_no: tradeNumber,
      out_trade_no: fields.out_trade_no,
      pid: 1001,
      money: order.money,
      status: Number(status),
    };
  }

  private apiV2(path: string, fields: Fields): Fields {
    if (path === '/api/merchant/info') return { code: '0', pid: fields.pid!, status: '1', timestamp: fields.timestamp! };
    const placed = this.orders.get(fields.out_trade_no ?? '');
    if (!placed) return { code: '-1', msg: '订单号不存在' };
    const { timestamp } = fields as { timestamp: string };
    if (path === '/api/pay/refund') {
      const isKnown = placed.refunded.some((line) => line.startsWith(`${fields.out_refund_no}:`));
      if (!isKnown) placed.refunded.push(`${fields.out_refund_no}:${fields.money}`);
      return { code: '0', refund_no: `R${fields.out_refund_no}`, timestamp };
    }
    const { tradeNumber, status, fields: order } = placed;
    return { code: '0', trade_no: tradeNumber, out_trade_no: fields.out_trade_no!, money: order.money!, status, timestamp };
  }

  private isFromMerchant(fields: Fields, signType: 'MD5' | 'RSA'): boolean {
    const given = fields.sign ?? '';
    const text = joined(fields);
    if (signType === 'MD5') return given === md5(`${text}${this.join}${FAKE_MERCHANT.key}`);
    const isFresh = Math.abs(Date.now() / 1_000 - Number(fields.timestamp)) <= 300;
    return isFresh && createVerify('RSA-SHA256').update(text).verify(MERCHANT.publicKey, given, 'base64');
  }
}

function joined(fields: Fields): string {
  const names = Object.keys(fields).filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '');
  return names
    .sort((a, b) => (a < b ? -1 : 1))
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** Fake WeChat Pay API v3, written from the official documentation and independent of the plugin. */
import { createCipheriv, createSign, createVerify, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { ALIPAY_FIXTURES } from './fake-alipay.js';
import { serveHttp, type LoopbackServer } from './loopback-server.js';

type Json = Record<string, unknown>;

const MERCHANT = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
/** Certificate of the platform's key, so that both modes of verification work. */
const CERTIFICATE = new X509Certificate(ALIPAY_FIXTURES.alipay_cert);

/** Settings of the fake's merchant. */
export const WECHAT_MERCHANT = {
  mchid: '1900000001',
  appid: 'wx0000000000000001',
  serial_no: '5A1B2C3D4E5F60718293A4B5C6D7E8F901234567',
  private_key: MERCHANT.privateKey,
  apiv3_key: '0123456789abcdef0123456789abcdef',
  mode: 'public_key',
  public_key_id: 'PUB_KEY_ID_0119000000012026112100000000000001',
  public_key: String(CERTIFICATE.publicKey.export({ type: 'spki', format: 'pem' })),
  platform_cert: ALIPAY_FIXTURES.alipay_cert,
} as const;

interface Placed {
  readonly transactionId: string;
  readonly total: number;
  readonly notifyUrl: string;
  state: string;
  readonly refunds: Map<string, number>;
}

/** Changes to a notification before it is encrypted and signed. */
export interface Changes {
  readonly transaction?: Json;
  readonly event?: Json;
  readonly key?: string;
}

/** Fake API, and its buyer. */
export class FakeWechat {
  readonly orders = new Map<string, Placed>();
  requests: { method: string; path: string; body: Json }[] = [];
  /** Serial number or key id in signature headers. */
  serial: string = WECHAT_MERCHANT.public_key_id;
  /** Response body that replaces every answer, if set. */
  answer: string | undefined;

  private constructor(private readonly server: LoopbackServer) {}

  static async start(): Promise<FakeWechat> {
    const server = await serveHttp((req, res) => void fake.serve(req, res));
    const fake: FakeWechat = new FakeWechat(server);
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** Returns the headers that sign a body. */
  headers(body: string, at = Date.now()): Record<string, string> {
    const [time, nonce] = [String(Math.floor(at / 1_000)), randomBytes(8).toString('hex')];
    const signature = createSign('RSA-SHA256').update(`${time}\n${nonce}\n${body}\n`).sign(ALIPAY_FIXTURES.alipay_private, 'base64');
    return {
      'Content-Type': 'application/json',
      'Wechatpay-Timestamp': time,
      'Wechatpay-Nonce': nonce,
      'Wechatpay-Serial': this.serial,
      'Wechatpay-Signature': signature,
    };
  }

  /** Returns the body of a payment notification. */
  notification(number: string, { transaction = {}, event = {}, key }: Changes = {}): string {
    return JSON.stringify({
      id: 'EV-1',
      event_type: 'TRANSACTION.SUCCESS',
      resource_type: 'encrypt-resource',
      resource: sealed(JSON.stringify({ ...this.transaction(number), ...transaction }), 'transaction', key),
      ...event,
    });
  }

  /**
   * Pays as the buyer and notifies the panel.
   *
   * @returns the status of the panel's response
   */
  async pay(number: string): Promise<number> {
    const placed = this.orders.get(number)!;
    placed.state = 'SUCCESS';
    const body = this.notification(number);
    return (await fetch(placed.notifyUrl, { method: 'POST', headers: this.headers(body), body })).status;
  }

  private transaction(number: string): Json {
    const { transactionId, total, state } = this.orders.get(number)!;
    const { mchid, appid } = WECHAT_MERCHANT;
    const amount = { total, payer_total: total, currency: 'CNY' };
    return {
      mchid,
      appid,
      out_trade_no: number,
      transaction_id: transactionId,
      trade_state: state === 'NOTPAY' ? 'SUCCESS' : state,
      amount,
    };
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await text(req);
    this.requests.push({ method: req.method!, path: req.url!, body: body ? (JSON.parse(body) as Json) : {} });
    // WeChat's OAuth endpoint, which identifies users, has its own format and no signature.
    const token = new URL(req.url!, 'http://fake');
    if (token.pathname === '/sns/oauth2/access_token') {
      const isRight = token.searchParams.get('secret') === 'secret-of-app' && token.searchParams.get('code') === 'code-1';
      res.end(JSON.stringify(isRight ? { openid: 'openid-1' } : { errcode: 40029, errmsg: 'invalid code' }));
      return;
    }
    const [status, reply] = this.answer === undefined ? this.reply(req, body) : [200, this.answer];
    const sent = typeof reply === 'string' ? reply : JSON.stringify(reply);
    // Requests that fail authentication get an unsigned answer.
    res.writeHead(status, status === 401 ? {} : this.headers(sent)).end(sent);
  }

  private reply(req: IncomingMessage, body: string): [number, Json] {
    const path = req.url!;
    if (!isFromMerchant(req, body)) return [401, { code: 'SIGN_ERROR', message: '错误的签名，验签失败' }];
    if (path === '/v3/certificates')
      return [200, { data: [{ serial_no: 'X', encrypt_certificate: sealed('a certificate', 'certificate') }] }];
    const sent = body ? (JSON.parse(body) as Json & { amount: { total: number; refund: number } }) : undefined;
    if (path === '/v3/refund/domestic/refunds') {
      const placed = [...this.orders.values()].find(({ transactionId }) => transactionId === sent!.transaction_id)!;
      if (sent!.amount.refund > placed.total) return [400, { code: 'INVALID_REQUEST', message: '退款金额超限' }];
      placed.refunds.set(String(sent!.out_refund_no), sent!.amount.refund);
      return [200, { refund_id: `5${String(sent!.out_refund_no)}`, status: 'PROCESSING' }];
    }
    if (sent) {
      const number = String(sent.out_trade_no);
      const transactionId = `4200000000${String(this.orders.size).padStart(18, '0')}`;
      this.orders.set(number, {
        transactionId,
        total: sent.amount.total,
        notifyUrl: String(sent.notify_url),
        state: 'NOTPAY',
        refunds: new Map(),
      });
      return [
        200,
        {
          code_url: `weixin://wxpay/bizpayurl?pr=${number}`,
          h5_url: `https://wx.tenpay.com/h5?prepay_id=${number}`,
          prepay_id: `wx${number}`,
        },
      ];
    }
    const number = /out-trade-no\/(\w+)\?mchid=1900000001$/.exec(path)?.[1];
    if (number === undefined) return [400, { code: 'PARAM_ERROR', message: 'mchid 错误' }];
    const placed = this.orders.get(number);
    if (!placed) return [404, { code: 'ORDER_NOT_EXIST', message: '订单不存在' }];
    return [200, { ...this.transaction(number), trade_state: placed.state }];
  }
}

function sealed(content: string, associated_data: string, key: string = WECHAT_MERCHANT.apiv3_key): Json {
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associated_data));
  const ciphertext = Buffer.concat([cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data };
}

function isFromMerchant(req: IncomingMessage, body: string): boolean {
  const parts = Object.fromEntries(
    [...(req.headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  );
  const message = `${req.method}\n${req.url}\n${parts.timestamp}\n${parts.nonce_str}\n${body}\n`;
  const isSigned = createVerify('RSA-SHA256')
    .update(message)
    .verify(MERCHANT.publicKey, parts.signature ?? '', 'base64');
  return isSigned && parts.serial_no === WECHAT_MERCHANT.serial_no;
}

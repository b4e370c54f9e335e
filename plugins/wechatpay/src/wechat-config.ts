import { randomBytes, X509Certificate, type KeyObject } from 'node:crypto';

import {
  addressProblem,
  isSignedBy,
  privateKeyOf,
  privateKeyProblem,
  publicKeyOf,
  publicKeyProblem,
  signWith,
  type GatewayField,
  type Settings,
} from '@svc/gateway-kit';

import { openResource } from './sealed.js';

const API = 'https://api.mch.weixin.qq.com';
/** API of WeChat that identifies users. */
const IDENTITY = 'https://api.weixin.qq.com';
const AUTHORIZATION = 'WECHATPAY2-SHA256-RSA2048';
/** Maximum clock difference of a message, in seconds. */
const MAX_AGE = 300;

const withPublicKey = ({ mode }: Settings): boolean => mode !== 'certificate';

/** Settings of a merchant. */
export const WECHAT_FIELDS: readonly GatewayField[] = [
  { key: 'mchid', kind: 'text', most: 32, placeholder: '1900000001', needed: () => true },
  { key: 'appid', kind: 'text', most: 32, placeholder: 'wx0000000000000000', needed: () => true },
  {
    key: 'serial_no',
    kind: 'text',
    most: 64,
    needed: () => true,
    problem: (value) => (/^[0-9A-Fa-f]{8,64}$/.test(value) ? null : 'serial_rule'),
  },
  { key: 'private_key', kind: 'secret_lines', most: 4_000, needed: () => true, problem: privateKeyProblem },
  {
    key: 'apiv3_key',
    kind: 'secret',
    most: 32,
    needed: () => true,
    problem: (value) => (Buffer.byteLength(value) === 32 ? null : 'apiv3_rule'),
  },
  { key: 'mode', kind: 'choice', most: 20, choices: ['public_key', 'certificate'] },
  { key: 'public_key_id', kind: 'text', most: 64, placeholder: 'PUB_KEY_ID_…', needed: withPublicKey },
  { key: 'public_key', kind: 'lines', most: 4_000, needed: withPublicKey, problem: publicKeyProblem },
  {
    key: 'platform_cert',
    kind: 'lines',
    most: 8_000,
    needed: (values) => !withPublicKey(values),
    problem: (value) => (serialOf(value) === null ? 'certificate_rule' : null),
  },
  { key: 'app_secret', kind: 'secret', most: 64, isSent: true },
  { key: 'api', kind: 'text', most: 200, placeholder: API, problem: addressProblem, isAddress: true },
];

/** Headers of messages signed by WeChat Pay. */
export type SignedHeaders = Readonly<Record<string, string | string[] | undefined>>;
/** Problem with a message's signature. */
export type Doubt = 'not_signed' | 'other_serial' | 'too_old' | 'wrong_signature';

/** Keys and settings of one merchant: signs requests and verifies WeChat Pay's messages. */
export class WechatConfig {
  private constructor(
    readonly mchid: string,
    readonly appid: string,
    /** For payments within WeChat; empty if not offered. */
    readonly appSecret: string,
    readonly api: string,
    /** API of WeChat that identifies the buyer for payments within it. */
    readonly identityApi: string,
    /** Serial number of WeChat Pay's key. */
    readonly theirSerial: string,
    private readonly ownSerial: string,
    private readonly own: KeyObject,
    private readonly wechatKey: KeyObject,
    /** 32 bytes; also used to sign the `state` parameter of pages. */
    readonly apiv3Key: Buffer,
  ) {}

  /** Returns null if a setting is missing. */
  static of(settings: Settings): WechatConfig | null {
    const { mchid = '', appid = '', serial_no = '', app_secret = '', platform_cert = '', public_key = '' } = settings;
    const own = privateKeyOf(settings.private_key ?? '');
    const wechatKey = publicKeyOf(withPublicKey(settings) ? public_key : platform_cert);
    const theirSerial = withPublicKey(settings) ? settings.public_key_id : serialOf(platform_cert);
    const key = Buffer.from(settings.apiv3_key ?? '');
    if (!mchid || !appid || !serial_no || !own || !wechatKey || !theirSerial || key.length !== 32) return null;
    const ownApi = settings.api?.replace(/\/+$/, '');
    return new WechatConfig(
      mchid,
      appid,
      app_secret,
      ownApi || API,
      ownApi || IDENTITY,
      theirSerial,
      serial_no.toUpperCase(),
      own,
      wechatKey,
      key,
    );
  }

  /** Returns the headers of a request. @param path including its query */
  headers(method: string, path: string, body: string): Record<string, string> {
    const [nonce, time] = [randomBytes(16).toString('hex'), String(now())];
    const signature = this.sign([method, path, time, nonce, body]);
    const parts = { mchid: this.mchid, nonce_str: nonce, signature, timestamp: time, serial_no: this.ownSerial };
    return {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      // Selects the key with which WeChat Pay signs the answer.
      'Wechatpay-Serial': this.theirSerial,
      Authorization: `${AUTHORIZATION} ${Object.entries(parts)
        .map(([name, value]) => `${name}="${value}"`)
        .join(',')}`,
    };
  }

  /** Signs lines, each ended by a newline. */
  sign(lines: readonly string[]): string {
    return signWith(this.own, `${lines.join('\n')}\n`);
  }

  /** Verifies a message; null if it is WeChat Pay's and recent. */
  doubt(headers: SignedHeaders, body: string | Buffer): Doubt | null {
    const [time, nonce, signature, serial] = ['timestamp', 'nonce', 'signature', 'serial'].map((name) => headers[`wechatpay-${name}`]);
    if (typeof time !== 'string' || typeof nonce !== 'string' || typeof signature !== 'string') return 'not_signed';
    if (serial !== this.theirSerial) return 'other_serial';
    if (!/^\d{1,12}$/.test(time) || Math.abs(now() - Number(time)) > MAX_AGE) return 'too_old';
    const message = Buffer.concat([Buffer.from(`${time}\n${nonce}\n`), Buffer.from(body), Buffer.from('\n')]);
    return isSignedBy(this.wechatKey, message, signature) ? null : 'wrong_signature';
  }

  /** Decrypts a `resource`; null if it is encrypted with another key. */
  open(resource: unknown): string | null {
    return openResource(this.apiv3Key, resource);
  }
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

function serialOf(certificate: string): string | null {
  try {
    return new X509Certificate(certificate).serialNumber;
  } catch {
    return null;
  }
}

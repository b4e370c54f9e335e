import type { KeyObject } from 'node:crypto';

import {
  addressProblem,
  isSignedBy,
  privateKeyOf,
  privateKeyProblem,
  publicKeyOf,
  publicKeyProblem,
  signWith,
  type Fields,
  type GatewayField,
  type Settings,
  type Word,
} from '@svc/gateway-kit';

import { isCertificate, rootSerialOf, serialOf } from './certificates.js';
import { notificationTexts, requestText } from './signature.js';

const GATEWAY = 'https://openapi.alipay.com/gateway.do';
/** Offset of Alipay's timestamps, which are in Beijing time. */
const BEIJING_MS = 8 * 3_600_000;

const withKeys = ({ mode }: Settings): boolean => mode !== 'cert';
const withCertificates = (values: Settings): boolean => !withKeys(values);
const certificateProblem = (value: string): Word | null => (isCertificate(value) ? null : 'certificate_rule');

/** Settings of a merchant. */
export const ALIPAY_FIELDS: readonly GatewayField[] = [
  { key: 'app_id', kind: 'text', most: 32, placeholder: '2021000000000000', needed: () => true },
  { key: 'mode', kind: 'choice', most: 10, choices: ['key', 'cert'] },
  { key: 'private_key', kind: 'secret_lines', most: 4_000, needed: () => true, problem: privateKeyProblem },
  { key: 'public_key', kind: 'lines', most: 4_000, needed: withKeys, problem: publicKeyProblem },
  { key: 'app_cert', kind: 'lines', most: 8_000, needed: withCertificates, problem: certificateProblem },
  { key: 'alipay_cert', kind: 'lines', most: 8_000, needed: withCertificates, problem: certificateProblem },
  { key: 'root_cert', kind: 'lines', most: 20_000, needed: withCertificates, problem: certificateProblem },
  { key: 'seller_id', kind: 'text', most: 32, placeholder: '2088000000000000' },
  { key: 'gateway', kind: 'text', most: 300, placeholder: GATEWAY, problem: addressProblem },
];

/** Keys and settings of one merchant application: signs requests and verifies Alipay's signatures. */
export class AlipayConfig {
  private constructor(
    readonly appId: string,
    /** Empty: not checked. */
    readonly sellerId: string,
    readonly gateway: string,
    private readonly own: KeyObject,
    private readonly alipayKey: KeyObject,
    /** Serial numbers of the certificates for each request; empty in key mode. */
    private readonly serials: Fields,
  ) {}

  /** Returns null if a setting is missing. */
  static of(settings: Settings): AlipayConfig | null {
    const { app_id = '', private_key = '', public_key = '', app_cert = '', alipay_cert = '', root_cert = '', seller_id = '' } = settings;
    const own = privateKeyOf(private_key);
    const alipayKey = publicKeyOf(withKeys(settings) ? public_key : alipay_cert);
    if (!app_id || !own || !alipayKey) return null;
    const hasSerials = withCertificates(settings);
    if (hasSerials && !(isCertificate(app_cert) && isCertificate(root_cert))) return null;
    const serials = hasSerials ? { app_cert_sn: serialOf(app_cert), alipay_root_cert_sn: rootSerialOf(root_cert) } : {};
    return new AlipayConfig(app_id, seller_id, settings.gateway || GATEWAY, own, alipayKey, serials as Fields);
  }

  /** Returns the signed fields of a request. @param more `notify_url` and `return_url`, if any */
  request(method: string, content: object, more: Fields = {}): Record<string, string> {
    const fields: Record<string, string> = {
      app_id: this.appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: new Date(Date.now() + BEIJING_MS).toISOString().slice(0, 19).replace('T', ' '),
      version: '1.0',
      ...this.serials,
      ...more,
      biz_content: JSON.stringify(content),
    };
    return { ...fields, sign: signWith(this.own, requestText(fields)) };
  }

  /** Whether a notification or a return URL was signed by Alipay. */
  isNotification(fields: Fields): boolean {
    return fields.sign_type === 'RSA2' && notificationTexts(fields).some((text) => this.isTheirs(text, fields.sign));
  }

  /** Whether a text was signed by Alipay. */
  isTheirs(text: string, sign: string | undefined): boolean {
    return isSignedBy(this.alipayKey, text, sign);
  }
}

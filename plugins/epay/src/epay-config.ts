import {
  addressProblem,
  isSameText,
  isSignedBy,
  privateKeyOf,
  privateKeyProblem,
  publicKeyOf,
  publicKeyProblem,
  signWith,
  type Fields,
  type GatewayField,
  type Settings,
} from '@svc/gateway-kit';

import { md5Of, signedText, type KeyJoin } from './signature.js';

const isMd5 = ({ sign_type }: Settings): boolean => sign_type !== 'RSA';

/** Settings of a merchant; the first three are named as in deployed panels. */
export const EPAY_FIELDS: readonly GatewayField[] = [
  {
    key: 'apiurl',
    kind: 'text',
    most: 500,
    placeholder: 'https://pay.example.com',
    needed: () => true,
    problem: addressProblem,
    isAddress: true,
  },
  { key: 'pid', kind: 'text', most: 60, placeholder: '1001', needed: () => true },
  { key: 'sign_type', kind: 'choice', most: 10, choices: ['MD5', 'RSA'] },
  { key: 'key', kind: 'secret', most: 200, needed: isMd5, isSent: true },
  { key: 'key_join', kind: 'choice', most: 10, choices: ['plain', 'named'] },
  { key: 'private_key', kind: 'secret_lines', most: 4_000, needed: (values) => !isMd5(values), problem: privateKeyProblem },
  { key: 'public_key', kind: 'lines', most: 4_000, needed: (values) => !isMd5(values), problem: publicKeyProblem },
];

/** Signs and verifies for one merchant with the configured method only, whatever a message claims. */
export class EpayConfig {
  private constructor(
    /** Without a trailing slash. */
    readonly api: string,
    readonly pid: string,
    readonly signType: 'MD5' | 'RSA',
    /** Key of V1; empty with RSA. */
    readonly key: string,
    private readonly make: (text: string) => string,
    private readonly check: (text: string, sign: string) => boolean,
  ) {}

  /** Returns null if a setting is missing. */
  static of(settings: Settings): EpayConfig | null {
    const { apiurl = '', pid = '', key = '' } = settings;
    // Users often paste the URL of a known page.
    const api = apiurl.replace(/\/(?:submit|mapi|api)\.php$/, '').replace(/\/+$/, '');
    if (!api || !pid) return null;
    if (isMd5(settings)) {
      const sign = (text: string): string => md5Of(text, key, settings.key_join as KeyJoin);
      return key === '' ? null : new EpayConfig(api, pid, 'MD5', key, sign, (text, given) => isSameText(sign(text), given.toLowerCase()));
    }
    const own = privateKeyOf(settings.private_key ?? '');
    const providerKey = publicKeyOf(settings.public_key ?? '');
    if (!own || !providerKey) return null;
    return new EpayConfig(
      api,
      pid,
      'RSA',
      '',
      (text) => signWith(own, text),
      (text, given) => isSignedBy(providerKey, text, given),
    );
  }

  /** Returns the fields with their signature. */
  signed(fields: Fields): Record<string, string> {
    const all = { ...fields, ...(this.signType === 'RSA' && { timestamp: String(Math.floor(Date.now() / 1_000)) }) };
    return { ...all, sign: this.make(signedText(all)), sign_type: this.signType };
  }

  /** Whether the platform signed these fields with this merchant's method. */
  isSigned(fields: Fields): boolean {
    const { sign = '' } = fields;
    return sign !== '' && [signedText(fields), signedText(fields, true)].some((text) => this.check(text, sign));
  }
}

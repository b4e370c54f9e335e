import type * as OtpAuth from 'otpauth';

import { whenUsed } from '../common/index.js';

const otpauth = whenUsed<typeof OtpAuth>('otpauth');

/** Seconds a code is valid. */
const PERIOD = 30;
/** Bytes of a seed. Source: RFC 4226 section 4 recommends the length of the hash. */
const SEED_BYTES = 20;

/** One-time codes by time, of six digits: RFC 6238 with SHA-1 and 30 seconds, which every authenticator app knows. */
export class OneTimeCodes {
  private readonly totp: OtpAuth.TOTP;

  /** @param seed base32 */
  constructor(
    readonly seed: string,
    issuer = 'Panel',
    account = '',
  ) {
    const { Secret, TOTP } = otpauth();
    this.totp = new TOTP({ issuer, label: account, algorithm: 'SHA1', digits: 6, period: PERIOD, secret: Secret.fromBase32(seed) });
  }

  /** A new random seed, base32. */
  static newSeed(): string {
    const { Secret } = otpauth();
    return new Secret({ size: SEED_BYTES }).base32;
  }

  /** What an authenticator app reads from a QR code: `otpauth://totp/…`. */
  get uri(): string {
    return this.totp.toString();
  }

  /** Which 30 seconds, counted from 1970, a code belongs to: those of `moment`, the ones before or after; null for any other code. */
  stepOf(code: string, moment: Date): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const delta = this.totp.validate({ token: code, timestamp: moment.getTime(), window: 1 });
    return delta === null ? null : Math.floor(moment.getTime() / 1_000 / PERIOD) + delta;
  }
}

import type * as OtpAuth from 'otpauth';

import { whenUsed } from '../common/index.js';

const otpauth = whenUsed<typeof OtpAuth>('otpauth');

/** Validity of a code, in seconds. */
const PERIOD = 30;
/** Bytes of a seed. Source: RFC 4226 section 4 recommends the length of the hash. */
const SEED_BYTES = 20;

/** Time-based one-time codes of six digits: RFC 6238 with SHA-1 and 30 seconds, which every authenticator app supports. */
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

  /** Returns a new random seed, base32. */
  static newSeed(): string {
    const { Secret } = otpauth();
    return new Secret({ size: SEED_BYTES }).base32;
  }

  /** The URI an authenticator app reads from a QR code: `otpauth://totp/…`. */
  get uri(): string {
    return this.totp.toString();
  }

  /**
   * Returns the 30-second step since 1970 that a code belongs to: that of `moment`, or the one before or after; null for any other code.
   */
  stepOf(code: string, moment: Date): number | null {
    if (!/^\d{6}$/.test(code)) return null;
    const delta = this.totp.validate({ token: code, timestamp: moment.getTime(), window: 1 });
    return delta === null ? null : Math.floor(moment.getTime() / 1_000 / PERIOD) + delta;
  }
}

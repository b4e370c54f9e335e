import { Secret, TOTP } from 'otpauth';

/** Authenticator app with a seed. Source: RFC 6238 with SHA-1, six digits and 30 seconds. */
export class AuthenticatorApp {
  private readonly totp: TOTP;

  /** @param seed base32 */
  constructor(readonly seed: string) {
    this.totp = new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(seed) });
  }

  /** Returns the code at a moment. */
  at(moment: Date): string {
    return this.totp.generate({ timestamp: moment.getTime() });
  }
}

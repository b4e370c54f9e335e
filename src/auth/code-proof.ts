import { Injectable } from '@nestjs/common';

import type { CallContext } from '../sdk/index.js';

import type { SignInStep } from './entities/index.js';
import { LoginError } from './errors.js';
import { DEVICE_COOKIES } from './known-devices.js';
import { RateLimiter } from './rate-limiter.js';
import { SecondFactors } from './second-factors.js';
import { SignInLimits } from './sign-in-limits.js';
import type { AccountSide } from './sign-in-side.js';
import { SignInSteps } from './sign-in-steps.js';

/** Wrong codes per account from any address: whoever tries them knows the password. */
const CODES = { limit: 20, windowSeconds: 600 };

/** A correct code: password and code were both verified. */
export interface ShownCode {
  readonly step: SignInStep;
  /** Clears the failed attempts after the sign-in is complete. */
  succeeded(): Promise<void>;
}

/** Verifies the code of a sign-in, for every side: of the app or a recovery code. Attempts are counted before verification. */
@Injectable()
export class CodeProof {
  constructor(
    private readonly factors: SecondFactors,
    private readonly steps: SignInSteps,
    private readonly limits: SignInLimits,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Verifies a code. A wrong one counts like a wrong password; after five the password is required again.
   *
   * @param token returned by {@link SignInSteps.open}
   * @returns null for a wrong code
   * @throws LoginError STEP_OVER, TOO_MANY_TRIES
   */
  async take(side: AccountSide, token: string, code: string, call: CallContext): Promise<ShownCode | null> {
    const step = await this.steps.find(side, token);
    if (!step) throw new LoginError('STEP_OVER');
    const { accountId, username } = step;
    const deviceToken = call.cookies[DEVICE_COOKIES[side]];
    const counted = await this.limits.begin({ side, account: username.toLowerCase(), accountId, ip: call.ip, deviceToken });
    const codes = `code:${side}:${accountId}`;
    const { allowed, retryAfterSeconds } = await this.limiter.hit(codes, CODES);
    if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
    await counted.delay();
    if (!(await this.steps.count(step.id))) throw new LoginError('STEP_OVER');
    if (!(await this.factors.check(side, accountId, code))) {
      await counted.failed();
      return null;
    }
    if (!(await this.steps.finish(step.id))) throw new LoginError('STEP_OVER');
    const succeeded = async (): Promise<void> => {
      await counted.succeeded();
      await this.limiter.clear(codes);
    };
    return { step, succeeded };
  }
}

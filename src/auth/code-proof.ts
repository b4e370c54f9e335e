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

/** Wrong codes for one account, from wherever: who tries them knows the password. */
const CODES = { limit: 20, windowSeconds: 600 };

/** A code that was right: who has shown password and code. */
export interface ShownCode {
  readonly step: SignInStep;
  /** Forgets what was tried in vain, once the sign-in is whole. */
  succeeded(): Promise<void>;
}

/** The code of a sign-in, of every side: of the app or a recovery code, counted before it is looked at. */
@Injectable()
export class CodeProof {
  constructor(
    private readonly factors: SecondFactors,
    private readonly steps: SignInSteps,
    private readonly limits: SignInLimits,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Takes a code. A wrong one counts as a wrong password does; after five the password is asked for again.
   *
   * @param token as {@link SignInSteps.open} gave it
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

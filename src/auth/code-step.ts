import { Injectable } from '@nestjs/common';

import type { CallContext, Scope } from '../sdk/index.js';

import type { Subject } from './credentials.js';
import { LoginError } from './errors.js';
import { DEVICE_COOKIES } from './known-devices.js';
import { RateLimiter } from './rate-limiter.js';
import { SecondFactors } from './second-factors.js';
import { SignInEntry, type SignedIn } from './sign-in-entry.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInSteps } from './sign-in-steps.js';

/** Wrong codes for one account, from wherever: who tries them knows the password. */
const CODES = { limit: 20, windowSeconds: 600 };

/** The step of a sign-in that asks for a code, of accounts with a second factor. */
@Injectable()
export class CodeStep {
  constructor(
    private readonly factors: SecondFactors,
    private readonly steps: SignInSteps,
    private readonly limits: SignInLimits,
    private readonly limiter: RateLimiter,
    private readonly entry: SignInEntry,
  ) {}

  isAsked(scope: Scope, accountId: number): Promise<boolean> {
    return this.factors.enabled(scope, accountId);
  }

  /** Notes that somebody has shown his password. @returns what he shows with the code */
  open(scope: Scope, subject: Subject): Promise<string> {
    return this.steps.open(scope, subject);
  }

  /**
   * The second step of a sign-in. A wrong code counts as a wrong password does, and after five the password is asked for again.
   *
   * @param lp as {@link login} gave it
   * @param code of the app, or a recovery code
   * @throws LoginError CODE_WRONG, STEP_OVER, TOO_MANY_TRIES
   */
  async finish(scope: Scope, lp: string, code: string, call: CallContext, oldToken: string | undefined): Promise<SignedIn> {
    const step = await this.steps.find(scope, lp);
    if (!step) throw new LoginError('STEP_OVER');
    const { accountId, username, passwordHash } = step;
    const deviceToken = call.cookies[DEVICE_COOKIES[scope]];
    const counted = await this.limits.begin({ side: scope, account: username.toLowerCase(), accountId, ip: call.ip, deviceToken });
    const codes = `code:${scope}:${accountId}`;
    const { allowed, retryAfterSeconds } = await this.limiter.hit(codes, CODES);
    if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
    await counted.delay();
    if (!(await this.steps.count(step.id))) throw new LoginError('STEP_OVER');
    if (!(await this.factors.check(scope, accountId, code))) {
      await counted.failed();
      throw new LoginError('CODE_WRONG', {}, { totp: 'auth.code_wrong' });
    }
    if (!(await this.steps.finish(step.id))) throw new LoginError('STEP_OVER');
    const signedIn = await this.entry.enter(scope, { id: accountId, username, passwordHash }, call, oldToken, true);
    await counted.succeeded();
    await this.limiter.clear(codes);
    return signedIn;
  }

  /** Whose step it is, for the log; null where it is over. */
  async nameOf(scope: Scope, lp: string): Promise<string | null> {
    return (await this.steps.find(scope, lp))?.username ?? null;
  }
}

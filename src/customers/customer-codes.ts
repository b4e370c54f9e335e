import { Injectable } from '@nestjs/common';

import { DEVICE_COOKIES, LoginError, RateLimiter, SecondFactors, SignInLimits, SignInSteps } from '../auth/index.js';
import type { CallContext } from '../sdk/index.js';

import { refusal } from './rules.js';

const SIDE = 'customer';
/** Wrong codes for one customer, from wherever: who tries them knows the password. */
const CODES = { limit: 20, windowSeconds: 600 };

/** Who has shown both. */
export interface Proven {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
}

/** The second step of a sign-in, of customers who have a second factor. */
@Injectable()
export class CustomerCodes {
  constructor(
    private readonly factors: SecondFactors,
    private readonly steps: SignInSteps,
    private readonly limits: SignInLimits,
    private readonly limiter: RateLimiter,
  ) {}

  /** What he goes on with who has shown his password; null where he needs no code. */
  async begin(customer: Proven): Promise<string | null> {
    return (await this.factors.enabled(SIDE, customer.id)) ? this.steps.open(SIDE, customer) : null;
  }

  /**
   * Takes a code of the app or a recovery code. A wrong one counts as a wrong password does; after five the password is asked for again.
   *
   * @throws CustomerError CODE_WRONG; LoginError STEP_OVER, TOO_MANY_TRIES
   */
  async finish(token: string, code: string, call: CallContext): Promise<Proven> {
    const step = await this.steps.find(SIDE, token);
    if (!step) throw new LoginError('STEP_OVER');
    const { accountId, username, passwordHash } = step;
    const deviceToken = call.cookies[DEVICE_COOKIES[SIDE]];
    const counted = await this.limits.begin({ side: SIDE, account: username.toLowerCase(), accountId, ip: call.ip, deviceToken });
    const key = `code:${SIDE}:${accountId}`;
    const { allowed, retryAfterSeconds } = await this.limiter.hit(key, CODES);
    if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
    await counted.delay();
    if (!(await this.steps.count(step.id))) throw new LoginError('STEP_OVER');
    if (!(await this.factors.check(SIDE, accountId, code))) {
      await counted.failed();
      throw refusal('CODE_WRONG', 'totp');
    }
    if (!(await this.steps.finish(step.id))) throw new LoginError('STEP_OVER');
    await counted.succeeded();
    await this.limiter.clear(key);
    return { id: accountId, username, passwordHash };
  }
}

import { Injectable } from '@nestjs/common';

import { addressForLimits, LoginError, RateLimiter, SignInLimits, type SignInRequest, type SignInTry } from '../../auth/index.js';
import { StoreError } from '../errors.js';
import { withinLimit } from '../http/index.js';

/** Requests to sign in from one network, whatever becomes of them: each looks a captcha up. */
const LOGIN_REQUESTS = { limit: 120, windowSeconds: 60 };
/** New accounts and tries at one, per address: twenty in an hour. */
const REGISTER = { limit: 20, windowSeconds: 3_600 };
/** Changes of one's own account: thirty in ten minutes; each may ask whether a password or an address is somebody's. */
const OWN_ACCOUNT = { limit: 30, windowSeconds: 600 };
/** Tries at the old password, per account. */
const OLD_PASSWORD = { limit: 10, windowSeconds: 600 };

/** How often somebody may try. Every try counts before anything of it is looked at; of a sign-in, before its password is. */
@Injectable()
export class AttemptLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly signIns: SignInLimits,
  ) {}

  /** Counts a request to sign in, before its captcha is looked at. @throws StoreError TOO_MANY_REQUESTS */
  loginRequest(ip: string): Promise<void> {
    return this.hit(`store:login-request:${addressForLimits(ip)}`, LOGIN_REQUESTS);
  }

  /** Counts a sign-in and waits as long as its answer is held back. @throws StoreError TOO_MANY_REQUESTS */
  async signIn(asker: Omit<SignInRequest, 'side'>): Promise<SignInTry> {
    try {
      const counted = await this.signIns.begin({ side: 'store', ...asker });
      await counted.delay();
      return counted;
    } catch (error) {
      throw error instanceof LoginError ? new StoreError('TOO_MANY_REQUESTS', error.params) : error;
    }
  }

  register(ip: string): Promise<void> {
    return this.hit(`store:register:ip:${addressForLimits(ip)}`, REGISTER);
  }

  ownAccount(userId: number): Promise<void> {
    return this.hit(`store:account:${userId}`, OWN_ACCOUNT);
  }

  /** Counts a try at the old password. @returns what forgets the tries once one was right */
  async oldPassword(userId: number): Promise<() => Promise<void>> {
    const key = `store:password:${userId}`;
    await this.hit(key, OLD_PASSWORD);
    return () => this.limiter.clear(key);
  }

  private hit(key: string, rule: { limit: number; windowSeconds: number }): Promise<void> {
    return withinLimit(this.limiter, key, rule);
  }
}

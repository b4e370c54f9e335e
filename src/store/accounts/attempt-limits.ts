import { Injectable } from '@nestjs/common';

import { addressForLimits, RateLimiter } from '../../auth/index.js';
import { StoreError } from '../errors.js';

import { nameKey } from './names.js';

/** Sign-ins per address and per account: ten in ten minutes. */
const LOGIN = { limit: 10, windowSeconds: 600 };
/** New accounts and tries at one, per address: twenty in an hour. */
const REGISTER = { limit: 20, windowSeconds: 3_600 };
/** Changes of one's own account: thirty in ten minutes; each may ask whether a password or an address is somebody's. */
const OWN_ACCOUNT = { limit: 30, windowSeconds: 600 };
/** Tries at the old password, per account. */
const OLD_PASSWORD = { limit: 10, windowSeconds: 600 };

/** How often somebody may try. Every try counts before anything of it is looked at. */
@Injectable()
export class AttemptLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts a sign-in. @returns what uncounts it once it succeeded @throws StoreError TOO_MANY_REQUESTS */
  async login(ip: string, username: string): Promise<() => Promise<void>> {
    const address = `store:login:ip:${addressForLimits(ip)}`;
    const account = `store:login:account:${nameKey(username)}`;
    await this.hit(address, LOGIN);
    await this.hit(account, LOGIN);
    return async () => {
      await this.limiter.clear(account);
      await this.limiter.takeBack(address);
    };
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

  private async hit(key: string, rule: { limit: number; windowSeconds: number }): Promise<void> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(key, rule);
    if (!allowed) throw new StoreError('TOO_MANY_REQUESTS', { seconds: retryAfterSeconds });
  }
}

import { Injectable } from '@nestjs/common';

import {
  addressForLimits,
  LoginError,
  RateLimiter,
  SIGNED_IN_GUESSES,
  SignInLimits,
  type SignInRequest,
  type SignInTry,
} from '../../auth/index.js';
import { StoreError } from '../errors.js';
import { withinLimit } from '../http/index.js';

/** Sign-in requests per network, successful or not; limited because each one looks up a captcha. */
const LOGIN_REQUESTS = { limit: 120, windowSeconds: 60 };
/** Registrations and attempts at one, per address: 20 per hour. */
const REGISTER = { limit: 20, windowSeconds: 3_600 };
/** Changes to one's own account: 30 per 10 minutes, because each can reveal whether a password or address exists. */
const OWN_ACCOUNT = { limit: 30, windowSeconds: 600 };
/** Requests for links to set a new password, and attempts to use one, per network. */
const LINK_REQUESTS = { limit: 10, windowSeconds: 3_600 };
const LINK_ATTEMPTS = { limit: 30, windowSeconds: 3_600 };

/** Rate limits of account actions. Each attempt is counted before it is processed; a sign-in before its password is checked. */
@Injectable()
export class AttemptLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly signIns: SignInLimits,
  ) {}

  /** Counts a sign-in request before its captcha is checked. @throws StoreError TOO_MANY_REQUESTS */
  loginRequest(ip: string): Promise<void> {
    return this.hit(`store:login-request:${addressForLimits(ip)}`, LOGIN_REQUESTS);
  }

  /** Counts a sign-in attempt and waits for its response delay, if any. @throws StoreError TOO_MANY_REQUESTS */
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

  /** Counts an attempt at the old password. @returns function that resets the counter after a correct password */
  async oldPassword(userId: number): Promise<() => Promise<void>> {
    const key = `store:password:${userId}`;
    await this.hit(key, SIGNED_IN_GUESSES);
    return () => this.limiter.clear(key);
  }

  /** Counts an attempt at a code of the second factor. */
  code(userId: number): Promise<void> {
    return this.hit(`store-code:${userId}`, SIGNED_IN_GUESSES);
  }

  linkRequest(ip: string): Promise<void> {
    return this.hit(`store-reset:${addressForLimits(ip)}`, LINK_REQUESTS);
  }

  linkAttempt(ip: string): Promise<void> {
    return this.hit(`store-reset-try:${addressForLimits(ip)}`, LINK_ATTEMPTS);
  }

  private hit(key: string, rule: { limit: number; windowSeconds: number }): Promise<void> {
    return withinLimit(this.limiter, key, rule);
  }
}

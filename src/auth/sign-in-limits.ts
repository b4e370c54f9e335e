import { Injectable } from '@nestjs/common';

import { addressForLimits } from './client-address.js';
import { LoginError } from './errors.js';
import { FailedSignIns } from './failed-sign-ins.js';
import { KnownDevices } from './known-devices.js';
import { RateLimiter } from './rate-limiter.js';
import { SignInDelay } from './sign-in-delay.js';
import type { TriedSide } from './sign-in-side.js';

const WINDOW_SECONDS = 600;
/** Wrong passwords for one account from one network, or from one known device. */
const PAIR_LIMIT = { limit: 10, windowSeconds: WINDOW_SECONDS };
/** Wrong passwords from one network for any account. */
const NETWORK_LIMIT = { limit: 30, windowSeconds: WINDOW_SECONDS };
/** Wrong passwords for one account from anywhere before its responses are delayed; more than one network alone can cause. */
const UNDELAYED = { limit: 10, windowSeconds: WINDOW_SECONDS };
const MAX_DELAY_SECONDS = 15;
/** Wrong passwords for one account from anywhere before sign-ins without a captcha are rejected: two networks' worth. */
const WITHOUT_CAPTCHA = { limit: 20 };

/** A sign-in attempt whose captcha, if required, was right. */
export interface SignInRequest {
  readonly side: TriedSide;
  /** The account's normalized name; also set for unknown accounts. */
  readonly account: string;
  /** Null for an unknown name. */
  readonly accountId: number | null;
  readonly ip: string;
  /** Value of the device cookie. */
  readonly deviceToken: string | undefined;
  /** Skipped the captcha: guesses from many networks are rejected instead of delayed, because the login page is still available. */
  readonly withoutCaptcha?: boolean;
}

/** An attempt that may continue. */
export interface SignInTry {
  /** Waits for the required delay. */
  delay(): Promise<void>;
  /** Uncounts the attempt. */
  succeeded(): Promise<void>;
  /** Records the failure for the account's owner. */
  failed(): Promise<void>;
}

/**
 * Limits password attempts without letting strangers lock out an account's owner: failures are counted by account and network
 * together and by network alone; failures of an account over all networks only delay responses, increasingly; and a known device is
 * counted separately. Source: docs/operating.md "Sign-ins".
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly devices: KnownDevices,
    private readonly failures: FailedSignIns,
    private readonly delays: SignInDelay,
  ) {}

  /** Counts an attempt before its password is verified. @throws LoginError TOO_MANY_TRIES */
  async begin(request: SignInRequest): Promise<SignInTry> {
    const { side, accountId, deviceToken } = request;
    // An unknown name costs the same query.
    const device = await this.devices.find(side, accountId ?? 0, deviceToken);
    return device === null ? this.beginAsStranger(request) : this.beginOnDevice(request, device);
  }

  /** Clears the failures for an account from one network after its owner has authenticated in another way. */
  async forget({ side, account, ip }: Pick<SignInRequest, 'side' | 'account' | 'ip'>): Promise<void> {
    await this.limiter.clear(`login:${side}:pair:${addressForLimits(ip)}:${account}`);
    await this.limiter.clear(`login:${side}:account:${account}`);
  }

  private async beginOnDevice({ side }: SignInRequest, device: number): Promise<SignInTry> {
    const key = `login:${side}:device:${device}`;
    await this.hit(key, PAIR_LIMIT);
    return {
      delay: () => Promise.resolve(),
      succeeded: () => this.limiter.clear(key),
      // Failures on the owner's own device are not reported to them.
      failed: () => Promise.resolve(),
    };
  }

  private async beginAsStranger({ side, account, accountId, ip, withoutCaptcha = false }: SignInRequest): Promise<SignInTry> {
    const network = addressForLimits(ip);
    const keys = {
      pair: `login:${side}:pair:${network}:${account}`,
      network: `login:${side}:net:${network}`,
      account: `login:${side}:account:${account}`,
    };
    if (withoutCaptcha) check(await this.limiter.peek(keys.account, WITHOUT_CAPTCHA));
    // Network first, so that a blocked network cannot create rows for made-up names.
    await this.hit(keys.network, NETWORK_LIMIT);
    const pair = await this.limiter.hit(keys.pair, PAIR_LIMIT);
    // Attempts beyond the limit for one account do not use up the network's limit for other accounts.
    if (!pair.allowed) await this.limiter.takeBack(keys.network);
    check(pair);
    const failures = await this.limiter.count(keys.account, UNDELAYED);
    return {
      delay: () => this.delays.wait(delayAfter(failures - UNDELAYED.limit)),
      succeeded: async () => {
        await this.limiter.clear(keys.pair);
        await this.limiter.takeBack(keys.network);
        await this.limiter.takeBack(keys.account);
      },
      failed: () => this.failures.note(side, accountId, ip),
    };
  }

  /** Rejected attempts are uncounted, so that concurrent ones do not count beyond the limit. */
  private async hit(key: string, rule: { limit: number; windowSeconds: number }): Promise<void> {
    const verdict = await this.limiter.hit(key, rule);
    if (!verdict.allowed) await this.limiter.takeBack(key);
    check(verdict);
  }
}

function check({ allowed, retryAfterSeconds }: { allowed: boolean; retryAfterSeconds: number }): void {
  if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
}

/**
 * Returns the delay in seconds: 1, 2, 4, 8 and then {@link MAX_DELAY_SECONDS} for the first, second, … attempt beyond the undelayed
 * ones.
 */
export function delayAfter(surplus: number): number {
  return surplus <= 0 ? 0 : Math.min(MAX_DELAY_SECONDS, 2 ** Math.min(surplus - 1, 10));
}

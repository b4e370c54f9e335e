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
const OF_PAIR = { limit: 10, windowSeconds: WINDOW_SECONDS };
/** Wrong passwords for whatever accounts from one network. */
const OF_NETWORK = { limit: 30, windowSeconds: WINDOW_SECONDS };
/** Wrong passwords for one account, from wherever, before answers for it are held back: one network alone cannot slow anybody else down. */
const UNDELAYED = { limit: 10, windowSeconds: WINDOW_SECONDS };
const LONGEST_DELAY_SECONDS = 15;
/** Wrong passwords for one account, from wherever, before nobody comes past the captcha any more: two networks' worth. */
const WITHOUT_CAPTCHA = { limit: 20 };

/** Somebody who wants to sign in; the captcha, where one is asked for, was right. */
export interface SignInAsker {
  readonly side: TriedSide;
  /** What the account's names are compared by; of one that does not exist too. */
  readonly account: string;
  /** Null where the name is nobody's. */
  readonly accountId: number | null;
  readonly ip: string;
  /** What came in the device cookie. */
  readonly deviceToken: string | undefined;
  /** Came past the captcha: guesses from many networks are not slowed down but stopped, because the login page is still open. */
  readonly withoutCaptcha?: boolean;
}

/** A try that may go on. */
export interface SignInTry {
  /** Waits as long as the answer is to be held back. */
  delay(): Promise<void>;
  /** Uncounts it. */
  succeeded(): Promise<void>;
  /** Keeps it for the owner of the account. */
  failed(): Promise<void>;
}

/**
 * How often somebody may try a password. Nothing a stranger does shuts the owner of an account out: failures are counted by
 * account and network together and by network alone; those of an account over all networks only hold the answers back, longer
 * and longer; and a device that signed in before is counted by itself. Source: docs/operating.md "Sign-ins".
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly devices: KnownDevices,
    private readonly failures: FailedSignIns,
    private readonly slowness: SignInDelay,
  ) {}

  /** Counts a try before its password is looked at. @throws LoginError TOO_MANY_TRIES */
  async begin(asker: SignInAsker): Promise<SignInTry> {
    const { side, accountId, deviceToken } = asker;
    // A name that is nobody's costs the same look.
    const device = await this.devices.find(side, accountId ?? 0, deviceToken);
    return device === null ? this.beginAsStranger(asker) : this.beginOnDevice(asker, device);
  }

  /** Forgets what was tried in vain for an account from one network: its owner has shown by other means who he is. */
  async forget({ side, account, ip }: Pick<SignInAsker, 'side' | 'account' | 'ip'>): Promise<void> {
    await this.limiter.clear(`login:${side}:pair:${addressForLimits(ip)}:${account}`);
    await this.limiter.clear(`login:${side}:account:${account}`);
  }

  private async beginOnDevice({ side }: SignInAsker, device: number): Promise<SignInTry> {
    const key = `login:${side}:device:${device}`;
    await this.hit(key, OF_PAIR);
    return {
      delay: () => Promise.resolve(),
      succeeded: () => this.limiter.clear(key),
      // The owner's own slips are no news to him.
      failed: () => Promise.resolve(),
    };
  }

  private async beginAsStranger({ side, account, accountId, ip, withoutCaptcha = false }: SignInAsker): Promise<SignInTry> {
    const network = addressForLimits(ip);
    const keys = {
      pair: `login:${side}:pair:${network}:${account}`,
      network: `login:${side}:net:${network}`,
      account: `login:${side}:account:${account}`,
    };
    if (withoutCaptcha) check(await this.limiter.look(keys.account, WITHOUT_CAPTCHA));
    // The network first: what it may not try leaves no row of a name it made up.
    await this.hit(keys.network, OF_NETWORK);
    const pair = await this.limiter.hit(keys.pair, OF_PAIR);
    // Who goes on about one account does not use up what his network may try for others.
    if (!pair.allowed) await this.limiter.takeBack(keys.network);
    check(pair);
    const failures = await this.limiter.count(keys.account, UNDELAYED);
    return {
      delay: () => this.slowness.wait(delayAfter(failures - UNDELAYED.limit)),
      succeeded: async () => {
        await this.limiter.clear(keys.pair);
        await this.limiter.takeBack(keys.network);
        await this.limiter.takeBack(keys.account);
      },
      failed: () => this.failures.note(side, accountId, ip),
    };
  }

  /** What is refused is uncounted, so that many at once do not count for more than the limit. */
  private async hit(key: string, rule: { limit: number; windowSeconds: number }): Promise<void> {
    const verdict = await this.limiter.hit(key, rule);
    if (!verdict.allowed) await this.limiter.takeBack(key);
    check(verdict);
  }
}

function check({ allowed, retryAfterSeconds }: { allowed: boolean; retryAfterSeconds: number }): void {
  if (!allowed) throw new LoginError('TOO_MANY_TRIES', { seconds: retryAfterSeconds });
}

/** Seconds: 1, 2, 4, 8 and then {@link LONGEST_DELAY_SECONDS} for the first, second, … try beyond those that are not held back. */
export function delayAfter(surplus: number): number {
  return surplus <= 0 ? 0 : Math.min(LONGEST_DELAY_SECONDS, 2 ** Math.min(surplus - 1, 10));
}

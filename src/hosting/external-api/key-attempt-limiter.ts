import { Injectable } from '@nestjs/common';

import { RateLimiter, addressForLimits } from '../../auth/index.js';

/** Maximum wrong keys per address in a window. */
export const MAX_FAILED_KEYS = 20;
/** Length of the window, in milliseconds. */
export const FAILED_KEYS_WINDOW_MS = 10 * 60_000;

const RULE = { limit: MAX_FAILED_KEYS, windowSeconds: FAILED_KEYS_WINDOW_MS / 1_000 };

/** Calls of one address whose keys are being checked. */
interface Burst {
  calls: number;
  wrong: number;
}

/** Counts wrong keys by address, for IPv6 by /64 network, across all processes. Disabled with `RATE_LIMIT=off`. */
@Injectable()
export class KeyAttemptLimiter {
  /**
   * A wrong key is counted only after the comparison, so many parallel guesses would all see a low counter. The failures of the calls in
   * progress are therefore also counted in memory.
   */
  private readonly bursts = new Map<string, Burst>();

  constructor(private readonly limiter: RateLimiter) {}

  /** Runs the key check of one call. `check` must read {@link KeyCheck.minutes} right before it compares a key. */
  async guard<Result>(ip: string, check: (keys: KeyCheck) => Promise<Result>): Promise<Result> {
    const address = addressForLimits(ip);
    const burst = this.bursts.get(address) ?? { calls: 0, wrong: 0 };
    this.bursts.set(address, burst);
    burst.calls += 1;
    try {
      const key = `api:key:${address}`;
      const { retryAfterSeconds } = await this.limiter.peek(key, RULE);
      return await check(new KeyCheck(this.limiter, key, burst, Math.ceil(retryAfterSeconds / 60)));
    } finally {
      burst.calls -= 1;
      if (burst.calls === 0) this.bursts.delete(address);
    }
  }
}

/** Key check of one call; see {@link KeyAttemptLimiter.guard}. */
export class KeyCheck {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly key: string,
    private readonly burst: Burst,
    private readonly minutesLeft: number,
  ) {}

  /** Whole minutes the address has to wait; 0 if it may try. */
  get minutes(): number {
    if (this.minutesLeft > 0) return this.minutesLeft;
    return this.limiter.isOn && this.burst.wrong >= MAX_FAILED_KEYS ? FAILED_KEYS_WINDOW_MS / 60_000 : 0;
  }

  /** Counts a wrong key. */
  async failed(): Promise<void> {
    this.burst.wrong += 1;
    await this.limiter.hit(this.key, RULE);
  }
}

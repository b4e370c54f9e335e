import { Injectable } from '@nestjs/common';

import { RateLimiter, addressForLimits } from '../../auth/index.js';

/** Wrong keys one address may send in a window. */
export const MAX_FAILED_KEYS = 20;
/** Length of the window. */
export const FAILED_KEYS_WINDOW_MS = 10 * 60_000;

const RULE = { limit: MAX_FAILED_KEYS, windowSeconds: FAILED_KEYS_WINDOW_MS / 1_000 };

/** Counts wrong keys by address, of IPv6 by /64 network; every process counts the same. Off with `RATE_LIMIT=off`. */
@Injectable()
export class FailedKeys {
  constructor(private readonly limiter: RateLimiter) {}

  /** Whole minutes the address has to wait; 0 when it may try. */
  async blockedMinutes(ip: string): Promise<number> {
    const { retryAfterSeconds } = await this.limiter.look(keyOf(ip), RULE);
    return Math.ceil(retryAfterSeconds / 60);
  }

  /** Counts one wrong key. */
  async failed(ip: string): Promise<void> {
    await this.limiter.hit(keyOf(ip), RULE);
  }
}

function keyOf(ip: string): string {
  return `api:key:${addressForLimits(ip)}`;
}

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';

import { addressForLimits } from './client-address.js';
import { RateLimiter } from './rate-limiter.js';

/** Limit of failures of a kind per address. */
export interface FailureRule {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Maximum address and kind pairs remembered as over their limit. */
const MAX_REMEMBERED = 10_000;

/**
 * Counts failures (wrong secrets, signatures) by address, shared by all processes. An address over its limit costs no more queries
 * until the window ends. The limit only affects the response to failures: valid requests are always accepted, so nobody
 * can lock others out. Nothing is limited while RATE_LIMIT is off.
 */
@Injectable()
export class FailureLimits {
  /** Ends of the windows of addresses over their limit, in milliseconds since 1970. */
  private readonly overLimit = new Map<string, number>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one failure.
   *
   * @param kind what failed, such as `node:n1`
   * @param ip for IPv6, the /64 network counts
   * @returns whole seconds until the address is below its limit again; 0 if it is now
   */
  async count(kind: string, ip: string, rule: FailureRule): Promise<number> {
    const key = `wrong:${kind}:${addressForLimits(ip)}`;
    const now = this.clock.now().getTime();
    const end = this.overLimit.get(key);
    if (end !== undefined && end > now) return Math.ceil((end - now) / 1_000);
    const { retryAfterSeconds } = await this.limiter.hit(key, rule);
    if (retryAfterSeconds > 0) this.remember(key, now + retryAfterSeconds * 1_000);
    return retryAfterSeconds;
  }

  /** Clears the cache after counts were reset, so that the rows are read again. */
  clearCache(): void {
    this.overLimit.clear();
  }

  private remember(key: string, end: number): void {
    this.overLimit.delete(key);
    if (this.overLimit.size >= MAX_REMEMBERED) this.overLimit.delete(this.overLimit.keys().next().value!);
    this.overLimit.set(key, end);
  }
}

import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';

import { addressForLimits } from './client-address.js';
import { RateLimiter } from './rate-limiter.js';

/** How many failures of a kind one address may cause. */
export interface FailureRule {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Pairs of address and kind that are remembered as over their limit. */
const MAX_REMEMBERED = 10_000;

/**
 * Counts what was wrong (secrets, signatures) by address, the same in every process. Whoever is over the limit costs no more rows or
 * statements until the window ends. It only says how those who are wrong are answered: who is right is let in at any time, so nobody
 * can shut somebody else out. Nothing is limited while RATE_LIMIT is off.
 */
@Injectable()
export class FailureLimits {
  /** Ends of windows, in milliseconds since 1970, of those who are over the limit. */
  private readonly over = new Map<string, number>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one failure.
   *
   * @param kind what it is, such as `node:n1`
   * @param ip of IPv6, the /64 network counts
   * @returns whole seconds until the address is below its limit again; 0 while it is
   */
  async count(kind: string, ip: string, rule: FailureRule): Promise<number> {
    const key = `wrong:${kind}:${addressForLimits(ip)}`;
    const now = this.clock.now().getTime();
    const end = this.over.get(key);
    if (end !== undefined && end > now) return Math.ceil((end - now) / 1_000);
    const { retryAfterSeconds } = await this.limiter.hit(key, rule);
    if (retryAfterSeconds > 0) this.remember(key, now + retryAfterSeconds * 1_000);
    return retryAfterSeconds;
  }

  /** Asks the rows again about everybody: somebody has forgotten what they counted. */
  lookAgain(): void {
    this.over.clear();
  }

  private remember(key: string, end: number): void {
    this.over.delete(key);
    if (this.over.size >= MAX_REMEMBERED) this.over.delete(this.over.keys().next().value!);
    this.over.set(key, end);
  }
}

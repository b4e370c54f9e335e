import { Injectable } from '@nestjs/common';

import { Clock } from '../common/index.js';
import { AppConfig } from '../config/index.js';

import { addressForLimits } from './client-address.js';
import { RateLimited } from './errors.js';
import { MemoryWindows } from './memory-windows.js';
import { RATE_CLASSES, type RateClass, type RateClassRule } from './rate-classes.js';
import { RateLimiter } from './rate-limiter.js';

/** Enforces the rate limit of each request's class. Everything passes while RATE_LIMIT is off. */
@Injectable()
export class RateGate {
  private readonly windows = new Map<RateClass, MemoryWindows>();
  private readonly isOn: boolean;

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
    private readonly limiter: RateLimiter,
  ) {
    this.isOn = config.rateLimit;
    for (const [name, rule] of Object.entries(RATE_CLASSES) as [RateClass, RateClassRule][]) {
      if (rule.kept === 'memory' && rule.limit !== Infinity) this.windows.set(name, new MemoryWindows(rule));
    }
  }

  /**
   * Counts one request.
   *
   * @param ip client address
   * @param account the signed-in account, such as `user:12`; null if none
   * @returns a promise for classes stored as rows
   * @throws RateLimited if the limit is exceeded
   */
  admit(rateClass: RateClass, ip: string, account: string | null): void | Promise<void> {
    const wait = this.enter(rateClass, ip, account);
    if (wait === 0) return;
    if (typeof wait === 'number') throw new RateLimited(wait);
    return wait.then((seconds) => {
      if (seconds > 0) throw new RateLimited(seconds);
    });
  }

  /** Resets this process's in-memory counts (windows of a minute). */
  reset(): void {
    for (const windows of this.windows.values()) windows.clear();
  }

  /** Returns whole seconds to wait, 0 if allowed; a promise of them for classes stored as rows. */
  private enter(rateClass: RateClass, ip: string, account: string | null): number | Promise<number> {
    if (!this.isOn) return 0;
    const rule = RATE_CLASSES[rateClass];
    const caller = rule.by === 'caller' && account !== null ? account : addressForLimits(ip);
    if (rule.kept === 'rows') return this.count(rateClass, caller, rule);
    return this.windows.get(rateClass)?.hit(caller, this.clock.now().getTime()) ?? 0;
  }

  private async count(rateClass: RateClass, caller: string, rule: RateClassRule): Promise<number> {
    return (await this.limiter.hit(`class:${rateClass}:${caller}`, rule)).retryAfterSeconds;
  }
}

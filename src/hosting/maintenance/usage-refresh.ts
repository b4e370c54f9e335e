import { Injectable } from '@nestjs/common';

import { RateLimiter } from '../../auth/index.js';
import { countAgainst } from '../../operations/index.js';
import type { HostingAccount } from '../entities/index.js';

import { UsageSweep } from './usage-sweep.js';

/** Limit per account across all processes, because measuring walks the whole site. */
const REFRESH_RATE = { limit: 1, windowSeconds: 60 };

/** Measures an account at its owner's request. */
@Injectable()
export class UsageRefresh {
  constructor(
    private readonly sweep: UsageSweep,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws OperationError RATE_LIMITED, and as {@link UsageSweep.measure} */
  async refresh(id: number): Promise<HostingAccount> {
    await countAgainst(this.limiter, `usage:${id}`, REFRESH_RATE);
    return this.sweep.measure(id);
  }
}

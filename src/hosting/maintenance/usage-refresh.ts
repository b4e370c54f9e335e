import { Injectable } from '@nestjs/common';

import { RateLimiter } from '../../auth/index.js';
import { countAgainst } from '../../operations/index.js';
import type { HostingAccount } from '../entities/index.js';

import { UsageSweep } from './usage-sweep.js';

/** Measuring walks the whole site: one account may ask for it so often, whichever process it asks. */
const REFRESH_RATE = { limit: 1, windowSeconds: 60 };

/** Measuring an account because its owner asks. */
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

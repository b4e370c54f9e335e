import { Injectable } from '@nestjs/common';

import { RateLimiter } from '../../auth/index.js';
import { OperationError } from '../../operations/index.js';
import { succeeded } from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountDrivers, driverError } from './account-driver.js';
import { AccountStore } from './account-store.js';

/** Measuring walks the whole site: one account may ask for it so often. */
const REFRESH_RATE = { limit: 5, windowSeconds: 60 };

/** Measures what accounts use. */
@Injectable()
export class HostUsage {
  constructor(
    private readonly store: AccountStore,
    private readonly drivers: AccountDrivers,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Asks the account's server and keeps what it says. Database and traffic are only what a driver with that capability
   * says; from one without, what is known already stays.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_STATE, SITE_MISSING, NODE_REFUSED, NODE_UNREACHABLE, NODE_UNCERTAIN;
   *   OperationError RATE_LIMITED
   */
  async refresh(id: number): Promise<HostingAccount> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(`usage:${id}`, REFRESH_RATE);
    if (!allowed) throw new OperationError('RATE_LIMITED', { seconds: retryAfterSeconds });
    const account = await this.store.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    if (account.state !== 'active' && account.state !== 'paused') throw new HostingError('ACCOUNT_STATE');
    const bound = await this.drivers.of(account);
    const result = await bound.sync();
    if (!succeeded(result)) throw driverError(result);
    const { webUsedBytes, databaseUsedBytes, trafficUsedBytes } = result.value;
    const { capabilities } = bound.driver;
    const measured = {
      webUsedBytes,
      ...(capabilities.has('database') ? { databaseUsedBytes } : {}),
      ...(capabilities.has('statistics') ? { trafficUsedBytes } : {}),
    };
    await this.store.setUsage(id, measured);
    return { ...account, ...measured };
  }
}

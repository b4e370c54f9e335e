import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { AccountDrivers, AccountStore, driverError } from '../accounts/index.js';
import { type IdleSign, succeeded, tellableSigns } from '../driver/index.js';
import { type HostingAccount, SiteDomain } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** Checks hosts for signs of being unused. */
@Injectable()
export class IdleSigns {
  constructor(
    private readonly store: AccountStore,
    private readonly drivers: AccountDrivers,
    private readonly database: Database,
  ) {}

  /**
   * Returns the signs of being unused that a host shows; empty if its server cannot detect any.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, and errors of the server
   */
  async of(id: number): Promise<readonly IdleSign[]> {
    const account = await this.store.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return this.ofAccount(account);
  }

  /** As {@link of}. */
  async ofAccount(account: HostingAccount): Promise<readonly IdleSign[]> {
    const bound = await this.drivers.of(account);
    const { driver } = bound;
    if (tellableSigns(driver).length === 0) return [];
    const domain: IdleSign[] = driver.domains && !(await this.hasDomain(account.id)) ? ['domain'] : [];
    const own = driver.idleSigns.filter((sign) => !(sign === 'domain' && driver.domains));
    if (own.length === 0) return domain;
    const result = await bound.idle();
    if (!succeeded(result)) throw driverError(result);
    return [...domain, ...result.value.filter((sign) => own.includes(sign))];
  }

  private hasDomain(accountId: number): Promise<boolean> {
    return this.database.repository(SiteDomain).existsBy({ accountId });
  }
}

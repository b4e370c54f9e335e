import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import {
  callDriver,
  callUntilCertain,
  DriverRegistry,
  type DriverAccount,
  type DriverQuota,
  type DriverResult,
  type HostDriver,
  type SiteStatus,
} from '../driver/index.js';
import { HostingNode, type HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** The driver of an account with the account as that driver knows it. */
export class BoundDriver {
  constructor(
    readonly driver: HostDriver,
    readonly account: DriverAccount,
  ) {}

  create(account: HostingAccount, password: string | null): Promise<DriverResult<{ siteId: string }>> {
    const site = { ...this.account, password, quota: quotaOf(account), expiresOn: account.expiresOn };
    return this.run((deadline) => this.driver.create(site, deadline));
  }

  suspend(reason: string): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.suspend(this.account, reason, deadline),
      (status) => (status?.running === false ? { outcome: 'ok', value: undefined } : null),
    );
  }

  unsuspend(): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.unsuspend(this.account, deadline),
      (status) => (status?.running ? { outcome: 'ok', value: undefined } : null),
    );
  }

  renew(expiresOn: string | null): Promise<DriverResult> {
    return this.run((deadline) => this.driver.renew(this.account, expiresOn, deadline));
  }

  changeQuota(quota: DriverQuota): Promise<DriverResult> {
    return this.run((deadline) => this.driver.changeQuota(this.account, quota, deadline));
  }

  changePassword(password: string): Promise<DriverResult> {
    return this.run((deadline) => this.driver.changePassword(this.account, password, deadline));
  }

  terminate(): Promise<DriverResult> {
    return this.run(
      (deadline) => this.driver.terminate(this.account, deadline),
      (status) => (status === null ? { outcome: 'not_found' } : null),
    );
  }

  /** How the site stands; the only call that is never repeated. */
  sync(): Promise<DriverResult<SiteStatus>> {
    return callDriver((deadline) => this.driver.sync(this.account, deadline));
  }

  private run<Value>(
    call: (deadline: AbortSignal) => Promise<DriverResult<Value>>,
    isDone?: (status: SiteStatus | null) => DriverResult<Value> | null,
  ): Promise<DriverResult<Value>> {
    return callUntilCertain(this.driver, this.account, call, isDone);
  }
}

/** Finds the driver of an account. */
@Injectable()
export class AccountDrivers {
  constructor(
    private readonly database: Database,
    private readonly registry: DriverRegistry,
  ) {}

  /** @throws HostingError NODE_NOT_FOUND, DRIVER_MISSING; Error inside a transaction, where no server may be called */
  async of(account: HostingAccount): Promise<BoundDriver> {
    if (this.database.inTransaction) throw new Error('A hosting server is never called inside a database transaction.');
    const node = await this.database.repository(HostingNode).findOneBy({ code: account.nodeCode });
    if (!node) throw new HostingError('NODE_NOT_FOUND', { code: account.nodeCode });
    return new BoundDriver(this.registry.driverOf(node), {
      node,
      username: account.username,
      siteName: account.siteName,
      siteId: account.siteId,
      ownerMark: `host:${account.id}:${account.siteName}`,
    });
  }
}

/** Quota of an account as drivers take it. */
export function quotaOf(account: HostingAccount): DriverQuota {
  return {
    webMb: account.webQuotaMb,
    databaseMb: account.databaseQuotaMb,
    trafficGb: account.trafficQuotaGb,
    domains: account.domainQuota,
  };
}

/** What a call that did not succeed means to the person. */
export function driverError(result: DriverResult<unknown>, refused: 'NODE_REFUSED' | 'CREATION_REFUSED' = 'NODE_REFUSED'): HostingError {
  switch (result.outcome) {
    case 'unreachable':
      return new HostingError('NODE_UNREACHABLE');
    case 'unknown':
      return new HostingError('NODE_UNCERTAIN');
    case 'refused':
      return new HostingError(refused, { text: result.message });
    case 'not_found':
      return new HostingError('SITE_MISSING');
    default:
      throw new Error(`A call that ended with "${result.outcome}" is no error.`);
  }
}

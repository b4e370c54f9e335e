import { Injectable } from '@nestjs/common';

import {
  type AccountGuard,
  type AccountTelling,
  AccountStore,
  type Deletion,
  LifeCycleService,
  type OwnPassword,
  type Provisioned,
  ProvisioningService,
  SiteSwitchService,
  type TermsChange,
} from './accounts/index.js';
import type { EnforceableLimit } from './driver/index.js';
import type { HostingAccount } from './entities/index.js';
import { type OfferedGroup, type OfferedServer, OfferedServers } from './nodes/index.js';
import type { HostQuota, HostRecord, ProvisionRequest } from '../sdk/index.js';

/**
 * Hosting accounts: used by the panel's own operations, and offered to plugins as `svc.hosts`. `source` is the caller (`admin`, `user`,
 * `api`, `cron`, or a plugin's slug); events carry it. Nothing here may be called inside a database transaction.
 */
@Injectable()
export class HostingService {
  constructor(
    private readonly store: AccountStore,
    private readonly provisioning: ProvisioningService,
    private readonly lifeCycle: LifeCycleService,
    private readonly siteSwitch: SiteSwitchService,
    private readonly offered: OfferedServers,
  ) {}

  /** See {@link ProvisioningService.provision}. */
  async provision(request: ProvisionRequest, source: string): Promise<HostRecord> {
    return (await this.provisioning.provision(request, source)).host;
  }

  /** Like {@link provision}, but rejects the same idempotency key with other fields, and reports whether this call opened the account. */
  open(request: ProvisionRequest, source: string): Promise<Provisioned> {
    return this.provisioning.provision(request, source, true);
  }

  /** Adds a pause reason; idempotent per reason. @param also joins the transaction in which the account stops */
  pause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    return this.lifeCycle.pause(id, reason, source, also);
  }

  /** Removes only the given reason. @param also joins the transaction in which the account runs again */
  unpause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    return this.lifeCycle.unpause(id, reason, source, also);
  }

  /** @param expiresOn last day `YYYY-MM-DD`; null: never expires */
  renew(id: number, expiresOn: string | null, source: string, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.renew(id, expiresOn, source, guard);
  }

  /** Changes last day, limits and package atomically, based on their current values. */
  changeTerms(id: number, change: TermsChange, source: string): Promise<HostRecord> {
    return this.lifeCycle.changeTerms(id, change, source);
  }

  /** Deletes the site and the account. Servers that support it keep the site for a while, unless `destroy` is set. */
  async terminate(id: number, source: string, more: Pick<Deletion, 'by' | 'destroy'> = {}): Promise<void> {
    await this.lifeCycle.terminate(id, { source, ...more });
  }

  /** Sets the address for the owner's notices; null: none. */
  setEmail(id: number, email: string | null, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.setEmail(id, email, guard);
  }

  /** Sets the customer (`SVC_plugin_user.id`) who owns it; null: none. @param also joins the transaction, and may reject */
  setOwner(id: number, ownerId: number | null, also: () => Promise<void>): Promise<HostRecord> {
    return this.lifeCycle.setOwner(id, ownerId, also);
  }

  /** Sets the given limits; ends a quota pause if the usage is within the new limits. */
  setQuota(id: number, quota: HostQuota, source: string, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.setQuota(id, quota, source, guard);
  }

  /** Starts the web site alone. @throws HostingError ACCOUNT_PAUSED while the account is paused */
  start(id: number): Promise<HostRecord> {
    return this.siteSwitch.start(id);
  }

  /** Stops the web site alone. It stays stopped when a pause begins and ends. */
  stop(id: number): Promise<HostRecord> {
    return this.siteSwitch.stop(id);
  }

  /**
   * Sets the password on the server and in the panel, and ends all sessions of the account.
   *
   * @param owner given if the owner changes it; rejected if the password was changed since they entered the present one
   */
  changePassword(id: number, password: string, owner?: OwnPassword, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.changePassword(id, password, owner, guard);
  }

  /** Returns an account by id, or by user name ignoring case; null also if it is being deleted, or if its creation failed. */
  async get(idOrUser: number | string): Promise<HostRecord | null> {
    const account = await (typeof idOrUser === 'number' ? this.store.find(idOrUser) : this.store.findByUser(idOrUser));
    return account && isVisible(account) ? this.store.toRecord(account) : null;
  }

  /** Like {@link get}, for several ids, the oldest first. */
  async list(ids: readonly number[]): Promise<HostRecord[]> {
    return this.store.toRecords((await this.store.findMany(ids)).filter(isVisible));
  }

  /** Returns the account a source opened by {@link provision} with an idempotency key; null if none exists, or its creation failed. */
  async opened(idempotencyKey: string, source: string): Promise<HostRecord | null> {
    const account = await this.store.findByRequest(`${source}:${idempotencyKey}`);
    return account && isVisible(account) ? this.store.toRecord(account) : null;
  }

  /** Returns the usage of an account as of the last measurement, in bytes; zeros for an unknown account. */
  async usage(id: number): Promise<{ webBytes: number; databaseBytes: number; trafficBytes: number; measuredAt: Date | null }> {
    const account = await this.store.find(id);
    return {
      webBytes: account?.webUsedBytes ?? 0,
      databaseBytes: account?.databaseUsedBytes ?? 0,
      trafficBytes: account?.trafficUsedBytes ?? 0,
      measuredAt: account?.usageMeasuredAt ?? null,
    };
  }

  /** Returns the nodes accounts can be opened on. Limits in `unenforced` are stored but have no effect there. */
  nodes(): Promise<OfferedServer[]> {
    return this.offered.servers();
  }

  /** See {@link OfferedServers.ofGroups}. */
  groups(): Promise<OfferedGroup[]> {
    return this.offered.ofGroups();
  }

  /** Returns the limits that are stored for hosts of a node but have no effect there. @param code of the node */
  unenforced(code: string): Promise<readonly EnforceableLimit[]> {
    return this.offered.unenforced(code);
  }
}

/** Returns whether an account is visible to callers: it is not being deleted, and its creation has not failed. */
function isVisible({ state }: HostingAccount): boolean {
  return state !== 'terminating' && state !== 'failed';
}

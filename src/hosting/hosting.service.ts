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
 * Hosting accounts: what `svc.hosts` offers plugins and the panel's own operations use. `source` says who asks (`admin`,
 * `user`, `api`, `cron`, or a plugin's slug); events carry it. Nothing here may be called inside a database transaction.
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

  /** Like {@link provision}, but the same idempotency key with other fields is refused; says whether this very call opened the account. */
  open(request: ProvisionRequest, source: string): Promise<Provisioned> {
    return this.provisioning.provision(request, source, true);
  }

  /** Adds a reason to stand still; a second time for the same reason does nothing. @param also joins the transaction in which it stops */
  pause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    return this.lifeCycle.pause(id, reason, source, also);
  }

  /** Lifts only the given reason. @param also joins the transaction in which it runs again */
  unpause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    return this.lifeCycle.unpause(id, reason, source, also);
  }

  /** @param expiresOn last day `YYYY-MM-DD`, null for never */
  renew(id: number, expiresOn: string | null, source: string, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.renew(id, expiresOn, source, guard);
  }

  /** Changes last day, limits and package from what they are, once. */
  changeTerms(id: number, change: TermsChange, source: string): Promise<HostRecord> {
    return this.lifeCycle.changeTerms(id, change, source);
  }

  /** Deletes site and account. Servers that can keep the site for a while, unless it is to be destroyed. */
  async terminate(id: number, source: string, more: Pick<Deletion, 'by' | 'destroy'> = {}): Promise<void> {
    await this.lifeCycle.terminate(id, { source, ...more });
  }

  /** Sets where notices for the owner go; null for nowhere. */
  setEmail(id: number, email: string | null, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.setEmail(id, email, guard);
  }

  /** Says which customer (`SVC_plugin_user.id`) it belongs to; null for none. @param also joins the transaction, and may refuse */
  setOwner(id: number, ownerId: number | null, also: () => Promise<void>): Promise<HostRecord> {
    return this.lifeCycle.setOwner(id, ownerId, also);
  }

  /** Sets the limits that are given; a pause for limits that are wide enough now ends. */
  setQuota(id: number, quota: HostQuota, source: string, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.setQuota(id, quota, source, guard);
  }

  /** Starts the web site alone. @throws HostingError ACCOUNT_PAUSED while the account is paused */
  start(id: number): Promise<HostRecord> {
    return this.siteSwitch.start(id);
  }

  /** Stops the web site alone; it stays stopped when a pause begins and ends. */
  stop(id: number): Promise<HostRecord> {
    return this.siteSwitch.stop(id);
  }

  /** Sets a password on the server and in the panel; ends every session of the account. `owner`: as long as it is theirs. */
  changePassword(id: number, password: string, owner?: OwnPassword, guard?: AccountGuard): Promise<HostRecord> {
    return this.lifeCycle.changePassword(id, password, owner, guard);
  }

  /** By id, or by user name ignoring case; an account being deleted, or whose creation failed, is not there. */
  async get(idOrUser: number | string): Promise<HostRecord | null> {
    const account = await (typeof idOrUser === 'number' ? this.store.find(idOrUser) : this.store.findByUser(idOrUser));
    return account && isThere(account) ? this.store.toRecord(account) : null;
  }

  /** Like {@link get}, by ids, the oldest first. */
  async list(ids: readonly number[]): Promise<HostRecord[]> {
    return this.store.toRecords((await this.store.findMany(ids)).filter(isThere));
  }

  /** The account a source opened with an idempotency key by {@link provision}; null where there is none, or its creation failed. */
  async opened(idempotencyKey: string, source: string): Promise<HostRecord | null> {
    const account = await this.store.findByRequest(`${source}:${idempotencyKey}`);
    return account && isThere(account) ? this.store.toRecord(account) : null;
  }

  /** What an account uses as of the last measurement, in bytes; nothing for an unknown one. */
  async usage(id: number): Promise<{ webBytes: number; databaseBytes: number; trafficBytes: number; measuredAt: Date | null }> {
    const account = await this.store.find(id);
    return {
      webBytes: account?.webUsedBytes ?? 0,
      databaseBytes: account?.databaseUsedBytes ?? 0,
      trafficBytes: account?.trafficUsedBytes ?? 0,
      measuredAt: account?.usageMeasuredAt ?? null,
    };
  }

  /** Nodes accounts can be opened on; limits in `unenforced` are kept there and have no effect. */
  nodes(): Promise<OfferedServer[]> {
    return this.offered.servers();
  }

  /** See {@link OfferedServers.ofGroups}. */
  groups(): Promise<OfferedGroup[]> {
    return this.offered.ofGroups();
  }

  /** Limits that are kept for hosts of a node and have no effect there. @param code of the node */
  unenforced(code: string): Promise<readonly EnforceableLimit[]> {
    return this.offered.unenforced(code);
  }
}

/** Whether there is anything of an account for others: it is not on its way out, and its creation has not failed. */
function isThere({ state }: HostingAccount): boolean {
  return state !== 'terminating' && state !== 'failed';
}

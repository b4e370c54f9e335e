import { Injectable } from '@nestjs/common';

import type { HostRecord } from '../../sdk/index.js';
import { KeptSites, LifeCycleService, PAUSE_REASON, ProvisioningService } from '../accounts/index.js';
import { HostingError } from '../hosting-errors.js';

/** Properties of the account to which a deleted site is restored. */
export interface Restoration {
  /** Id of the deleted site. */
  readonly id: number;
  /** Undefined keeps the old name. */
  readonly user?: string;
  readonly password: string;
  /** Last day `YYYY-MM-DD`, null for never; undefined keeps the old one. */
  readonly expiresOn?: string | null;
}

/** Pauses set on purpose, which a restore does not lift. */
const LASTING: readonly string[] = [PAUSE_REASON.admin, PAUSE_REASON.api, PAUSE_REASON.scan];

/** Creates a new account for a deleted site, on the server that keeps it, with its old limits. */
@Injectable()
export class BinRestore {
  constructor(
    private readonly kept: KeptSites,
    private readonly provisioning: ProvisioningService,
    private readonly lifeCycle: LifeCycleService,
  ) {}

  /**
   * Fires `host.created`. The row of the deleted site is removed in the transaction that activates the account; if the process crashes
   * before, account recovery completes the restore.
   *
   * @throws HostingError as {@link ProvisioningService.provision}; ACCOUNT_EXISTS names the field `user`
   */
  async restore({ id, user, password, expiresOn }: Restoration, source: string): Promise<HostRecord> {
    const site = await this.kept.find(id);
    if (!site) throw new HostingError('BIN_GONE');
    if (site.state !== 'kept') throw new HostingError('BIN_BUSY');
    const request = {
      node: site.nodeCode,
      user: user ?? site.username,
      password,
      expiresOn: expiresOn === undefined ? site.expiresOn : expiresOn,
      graceDays: site.ownGraceDays,
      keepDays: site.keepDays,
      webMb: site.webQuotaMb,
      databaseMb: site.databaseQuotaMb,
      trafficGb: site.trafficQuotaGb,
      domains: site.domainQuota,
      monitors: site.monitorQuota,
      backups: site.backupQuota,
    };
    const { host } = await this.provisioning.provision(request, source, false, site).catch((error: unknown) => {
      if (!(error instanceof HostingError) || error.code !== 'ACCOUNT_EXISTS') throw error;
      throw new HostingError('ACCOUNT_EXISTS', {}, { user: 'hosting.bin_user_taken' }, { cause: error });
    });
    let after = host;
    for (const reason of site.pauseReasons.filter((one) => LASTING.includes(one))) {
      after = await this.lifeCycle.pause(host.id, reason, source);
    }
    return after;
  }
}

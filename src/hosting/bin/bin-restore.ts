import { Injectable } from '@nestjs/common';

import type { HostRecord } from '../../sdk/index.js';
import { KeptSites, LifeCycleService, PAUSE_REASON, ProvisioningService } from '../accounts/index.js';
import { HostingError } from '../hosting-errors.js';

/** Properties of the account that a kept site is restored to. */
export interface Restoration {
  /** Id of the deleted site. */
  readonly id: number;
  /** Undefined: the name it had. */
  readonly user?: string;
  readonly password: string;
  /** Last day `YYYY-MM-DD`, null for never; undefined: the one it had. */
  readonly expiresOn?: string | null;
}

/** Pauses somebody made on purpose: bringing a site back does not lift them. */
const LASTING: readonly string[] = [PAUSE_REASON.admin, PAUSE_REASON.api, PAUSE_REASON.scan];

/** Makes a new account of a deleted site, on the server that keeps it, with the limits it had. */
@Injectable()
export class BinRestore {
  constructor(
    private readonly kept: KeptSites,
    private readonly provisioning: ProvisioningService,
    private readonly lifeCycle: LifeCycleService,
  ) {}

  /**
   * Fires `host.created`. The row of the deleted site goes in the transaction in which the account becomes active: a process that dies
   * before leaves the account to recovery, which brings the restoration to its end.
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

import { Injectable } from '@nestjs/common';

import { AccountChanges, AccountDrivers, driverError, ReconciledChanges } from '../accounts/index.js';
import { lastDayOf } from '../calendar.js';
import { succeeded } from '../driver/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { SiteServing } from './site-serving.js';

/** Outcome of a repair. */
export type RepairOutcome = 'made' | 'updated';

/** Makes the site of an account on its server match the panel's rows. Never deletes anything. */
@Injectable()
export class SiteRepair {
  constructor(
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly access: SiteAccess,
    private readonly serving: SiteServing,
  ) {}

  /**
   * Recreates a missing site, which is then empty because its files are lost. Then sends last day, limits and pauses, followed by domains,
   * settings and certificate if the server supports them. Every step is idempotent, so an interrupted repair is simply repeated.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_BUSY, ACCOUNT_STATE, DRIVER_MISSING, NODE_NOT_FOUND, and errors of the server
   */
  async repair(id: number): Promise<RepairOutcome> {
    let outcome: RepairOutcome = 'updated';
    await this.reconciled.run(id, 'measure', async (claim) => {
      const { account } = claim;
      const before = await this.drivers.of(account);
      const status = await before.sync();
      if (!succeeded(status) && status.outcome !== 'not_found') throw driverError(status);
      let { siteId } = account;
      if (status.outcome === 'not_found') {
        ({ siteId } = await this.changes.callServer(claim, () => before.create(account, null)));
        outcome = 'made';
      }
      const driver = await this.drivers.of({ ...account, siteId });
      await this.changes.callServer(claim, () => driver.renew(lastDayOf(account)));
      await this.changes.callServer(claim, () => driver.changeLimits(account));
      await this.changes.callServer(claim, () =>
        account.state === 'paused' ? driver.suspend(account.pauseReasons.join(',')) : driver.unsuspend(),
      );
      return this.changes.finish(claim, { siteId });
    });
    await this.serving.push(await this.access.ofHost(id));
    return outcome;
  }
}

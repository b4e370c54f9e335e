import { Injectable } from '@nestjs/common';

import { AccountChanges, AccountDrivers, driverError, ReconciledChanges } from '../accounts/index.js';
import { lastDayOf } from '../calendar.js';
import { succeeded } from '../driver/index.js';
import { SiteAccess } from '../site-tools/index.js';

import { SiteServing } from './site-serving.js';

/** Outcome of a repair. */
export type RepairOutcome = 'made' | 'told';

/** Makes the site of an account on its server what the panel's rows say. Never deletes anything. */
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
   * A site that is not there is made again, empty: its files are gone with it. Then last day, limits and pauses are told, and after
   * these, where the server has any, domains, settings and certificate. Each of it is what it may be already, so that a repair that was
   * cut short is simply run again.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_BUSY, ACCOUNT_STATE, DRIVER_MISSING, NODE_NOT_FOUND, and what the server comes to
   */
  async repair(id: number): Promise<RepairOutcome> {
    let outcome: RepairOutcome = 'told';
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
    await this.serving.tell(await this.access.ofHost(id));
    return outcome;
  }
}

import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { SiteSettings } from '../../site/index.js';
import { isExpired, lastDayOf } from '../calendar.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { AccountStore } from './account-store.js';
import { ReconciledChanges } from './reconciled-changes.js';
import { PAUSE_REASON, reasonsWithout } from './state-machine.js';

/** Updates the days of grace of an account, and lifts its expiry pause if it is no longer expired. */
@Injectable()
export class AccountGrace {
  constructor(
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly store: AccountStore,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {}

  /** @throws HostingError as every change of an account */
  async apply(id: number): Promise<void> {
    await this.reconciled.run(id, 'renew', async (claim) => {
      const { account } = claim;
      const graceDays = account.ownGraceDays ?? this.site.current.expiryGraceDays;
      const serves = lastDayOf({ ...account, graceDays });
      const isOver = isExpired(serves, this.clock.today());
      const pauseReasons = isOver ? account.pauseReasons : reasonsWithout(account.pauseReasons, PAUSE_REASON.expiry);
      const lifted = pauseReasons.length < account.pauseReasons.length;
      if (graceDays === account.graceDays && !lifted) return account;
      const resumes = lifted && pauseReasons.length === 0;
      const driver = await this.drivers.of(account);
      if (serves !== lastDayOf(account)) await this.changes.callServer(claim, () => driver.renew(serves));
      if (resumes) await this.changes.callServer(claim, () => driver.unsuspend());
      const state = resumes ? 'active' : account.state;
      return this.changes.finish(claim, { graceDays, pauseReasons, state }, async (after) => {
        if (resumes) await this.store.record('host.unpaused', after, 'cron', [account.username, id]);
      });
    });
  }
}

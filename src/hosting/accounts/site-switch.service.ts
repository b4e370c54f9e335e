import { Injectable } from '@nestjs/common';

import type { HostRecord } from '../../sdk/index.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { ReconciledChanges } from './reconciled-changes.js';

/** Starts and stops only the web site of an account. No hook fires, and the account's state does not change. */
@Injectable()
export class SiteSwitchService {
  constructor(
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
  ) {}

  /** @throws HostingError ACCOUNT_PAUSED: the pause has to be lifted first, which also restores the earlier state of the site */
  start(id: number): Promise<HostRecord> {
    return this.reconciled.run(id, 'start', async (claim) => {
      const driver = await this.drivers.of(claim.account);
      // Called even if the site should be running: it may have been stopped on the server itself.
      await this.changes.callServer(claim, () => driver.start());
      return this.changes.finish(claim, { siteStopped: false });
    });
  }

  /** On a paused account there is nothing to stop on the server: the site just stays stopped when the pause ends. */
  stop(id: number): Promise<HostRecord> {
    return this.reconciled.run(id, 'stop', async (claim) => {
      if (claim.account.state === 'active') {
        const driver = await this.drivers.of(claim.account);
        await this.changes.callServer(claim, () => driver.stop());
      }
      return this.changes.finish(claim, { siteStopped: true });
    });
  }
}

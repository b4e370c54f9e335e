import { Injectable } from '@nestjs/common';

import type { HostRecord } from '../../sdk/index.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { ReconciledChanges } from './reconciled-changes.js';

/** Starts and stops the web site of an account and nothing else. No hook fires; the account stays what it is. */
@Injectable()
export class SiteSwitchService {
  constructor(
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
  ) {}

  /** @throws HostingError ACCOUNT_PAUSED: a pause is lifted first, and brings back what was before */
  start(id: number): Promise<HostRecord> {
    return this.reconciled.run(id, 'start', async (claim) => {
      const driver = await this.drivers.of(claim.account);
      // Told also when it should be running: somebody may have stopped it on the server itself.
      await this.changes.tell(claim, () => driver.start());
      return this.changes.finish(claim, { siteStopped: false });
    });
  }

  /** On a paused account the server has nothing to stop: the site just does not come back when the pause ends. */
  stop(id: number): Promise<HostRecord> {
    return this.reconciled.run(id, 'stop', async (claim) => {
      if (claim.account.state === 'active') {
        const driver = await this.drivers.of(claim.account);
        await this.changes.tell(claim, () => driver.stop());
      }
      return this.changes.finish(claim, { siteStopped: true });
    });
  }
}

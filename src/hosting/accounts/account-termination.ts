import { Injectable } from '@nestjs/common';

import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { AccountReconciler } from './account-reconciler.js';
import { AccountStore } from './account-store.js';
import { DeletionCap, JOB_SOURCE } from './deletion-cap.js';
import { type Deletion, KeptSites } from './kept-sites.js';

/** Deletes accounts. */
@Injectable()
export class AccountTermination {
  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly reconciler: AccountReconciler,
    private readonly drivers: AccountDrivers,
    private readonly kept: KeptSites,
    private readonly cap: DeletionCap,
  ) {}

  /**
   * Deletes site and account. If the server has a recycle bin, the site goes there, with a row from the start of the deletion. Deletions by
   * jobs count towards their daily limit.
   *
   * @param guard called under the claim of the account: returning false leaves the account as it is
   * @returns whether it was deleted
   * @throws HostingError ACCOUNT_NOT_FOUND for one that does not exist; DELETIONS_HELD for a job that has reached today's limit
   */
  async terminate(id: number, deletion: Deletion, guard?: (account: HostingAccount) => Promise<boolean>): Promise<boolean> {
    const done = await this.changes.run(id, async (claim) => {
      const { state } = claim.account;
      if (state !== 'active' && state !== 'paused') {
        return !(await this.reconciler.reconcile(claim));
      }
      if (guard && !(await guard(claim.account))) return 'kept';
      const { keeps } = await this.drivers.of(claim.account);
      if (deletion.source === JOB_SOURCE && !(await this.cap.take())) throw new HostingError('DELETIONS_HELD');
      await this.store.database.transaction(async () => {
        await this.store.change(claim.account, { state: 'terminating' }, false);
        if (keeps) await this.kept.begin(claim.account, deletion);
      });
      claim.account = { ...claim.account, state: 'terminating' };
      claim.touched = true;
      await this.reconciler.finishTermination(claim, deletion.source);
      return true;
    });
    if (done === null) throw new HostingError('ACCOUNT_NOT_FOUND');
    // An unfinished creation had to be completed first.
    return done === false ? this.terminate(id, deletion, guard) : done === true;
  }
}

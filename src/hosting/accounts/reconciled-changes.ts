import { Injectable } from '@nestjs/common';

import type { HostRecord } from '../../sdk/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountChanges, type ClaimedAccount } from './account-changes.js';
import { AccountReconciler } from './account-reconciler.js';
import { AccountStore } from './account-store.js';
import { checkAllowed, type AccountAction } from './state-machine.js';

/** Called under the claim of the account, before the change; it refuses the change by throwing. */
export type AccountGuard = (account: HostingAccount) => void;

/** Runs changes of accounts after completing what an earlier change left unfinished, so that server and row agree. */
@Injectable()
export class ReconciledChanges {
  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly reconciler: AccountReconciler,
  ) {}

  /**
   * Runs one change with the account claimed, in a state that allows it.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_BUSY, ACCOUNT_STATE, ACCOUNT_PAUSED, and what reconciling an earlier
   * change and what `guard` throws
   */
  async run(
    id: number,
    action: AccountAction,
    work: (claim: ClaimedAccount) => Promise<HostingAccount>,
    guard?: AccountGuard,
  ): Promise<HostRecord> {
    for (;;) {
      const after = await this.changes.run(id, async (claim) => {
        if (claim.interrupted) {
          const there = await this.reconciler.reconcile(claim);
          if (!there) return null;
          // Finishing a creation ends the claim, so the change needs a new one.
          if (claim.ended) return 'again';
        }
        checkAllowed(action, claim.account.state);
        guard?.(claim.account);
        return work(claim);
      });
      if (after === null) throw new HostingError('ACCOUNT_NOT_FOUND');
      if (after !== 'again') return this.store.toRecord(after);
    }
  }
}

import { Injectable } from '@nestjs/common';

import { JOB_SOURCE, LifeCycleService, PAUSE_REASON, PauseReasons, ReconciledChanges } from '../accounts/index.js';
import type { IdleSign } from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';

import { IdleSigns } from './idle-signs.js';

/** Decides, on the locked account and its server's current answer, whether the action still applies; false leaves it unchanged. */
export type StillIdle = (account: HostingAccount, shown: readonly IdleSign[]) => Promise<boolean>;

/** Pauses and deletes unused hosts like any other pause or deletion, after a final check under the claim. */
@Injectable()
export class IdleActions {
  constructor(
    private readonly signs: IdleSigns,
    private readonly reconciled: ReconciledChanges,
    private readonly reasons: PauseReasons,
    private readonly lifeCycle: LifeCycleService,
  ) {}

  /** @returns whether this call paused it */
  async pause(id: number, still: StillIdle): Promise<boolean> {
    let done = false;
    await this.reconciled.run(id, 'pause', async (claim) => {
      if (!(await still(claim.account, await this.signs.ofAccount(claim.account)))) return claim.account;
      const after = await this.reasons.add(claim, PAUSE_REASON.idle, JOB_SOURCE);
      // A hold prevents the pause.
      done = after.pauseReasons.includes(PAUSE_REASON.idle);
      return after;
    });
    return done;
  }

  /** @returns whether it was deleted */
  delete(id: number, still: StillIdle): Promise<boolean> {
    return this.lifeCycle.terminate(id, { source: JOB_SOURCE }, async (account) => still(account, await this.signs.ofAccount(account)));
  }

  /** Ends the pause of an unused host. */
  async lift(id: number, source: string): Promise<void> {
    await this.lifeCycle.unpause(id, PAUSE_REASON.idle, source);
  }
}

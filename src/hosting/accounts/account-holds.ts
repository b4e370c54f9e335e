import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import type { HostRecord } from '../../sdk/index.js';
import { lastDayOf } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { isDayWithin } from './account-rules.js';
import { AccountStore } from './account-store.js';
import { ReconciledChanges } from './reconciled-changes.js';
import { AUTOMATIC_PAUSES } from './state-machine.js';

/** Longest hold, in days from today. */
export const MAX_HOLD_DAYS = 3_650;

/** A check before the account is held, and work done together with the hold. */
export interface HoldGuards {
  /** Called under the claim of the account. */
  readonly check?: (present: HostingAccount) => void;
  readonly also: (after: HostingAccount) => Promise<unknown>;
}

/** Keeps jobs from pausing an account for a while, even if it is expired, over its limits or unused. */
@Injectable()
export class AccountHolds {
  constructor(
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly store: AccountStore,
    private readonly clock: ZonedClock,
  ) {}

  /**
   * Sets or ends the hold of an account; setting it lifts the pauses it prevents. After its last day jobs pause the account again if there
   * is a reason to.
   *
   * @param holdUntil last day `YYYY-MM-DD`, null for none
   * @param with `check` refuses by throwing, under the claim of the account; `also` runs in the transaction, only if the day changed
   * @throws HostingError INVALID_INPUT naming `holdUntil` for a day in the past or more than {@link MAX_HOLD_DAYS} days ahead, and as every
   *   change of an account
   */
  async set(id: number, holdUntil: string | null, source: string, { check, also }: HoldGuards): Promise<HostRecord> {
    const today = this.clock.today();
    if (holdUntil !== null && !isDayWithin(holdUntil, today, MAX_HOLD_DAYS)) {
      throw new HostingError('INVALID_INPUT', {}, { holdUntil: 'hosting.field_hold' });
    }
    return this.reconciled.run(id, 'hold', async (claim) => {
      const { account } = claim;
      check?.(account);
      const pauseReasons =
        holdUntil === null ? account.pauseReasons : account.pauseReasons.filter((reason) => !AUTOMATIC_PAUSES.includes(reason));
      const lifted = pauseReasons.length < account.pauseReasons.length;
      if (account.holdUntil === holdUntil && !lifted) return account;
      const resumes = lifted && pauseReasons.length === 0;
      const serves = lastDayOf({ ...account, holdUntil });
      const driver = await this.drivers.of(account);
      if (serves !== lastDayOf(account)) await this.changes.callServer(claim, () => driver.renew(serves));
      if (resumes) await this.changes.callServer(claim, () => driver.unsuspend());
      const state = resumes ? 'active' : account.state;
      return this.changes.finish(claim, { holdUntil, pauseReasons, state }, async (after) => {
        if (account.holdUntil !== holdUntil) await also(after);
        if (resumes) await this.store.record('host.unpaused', after, source, [account.username, id]);
      });
    });
  }
}

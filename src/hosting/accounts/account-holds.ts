import { Injectable } from '@nestjs/common';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
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

/** Check of an account before it is held, and work that is done with the hold. */
export interface HoldGuards {
  /** Sees the account while nobody else can change it. */
  readonly check?: (present: HostingAccount) => void;
  readonly also: (after: HostingAccount) => Promise<unknown>;
}

/** Keeps jobs from pausing an account for a while: its time may be over, its limits reached, nobody may use it. */
@Injectable()
export class AccountHolds {
  constructor(
    private readonly reconciled: ReconciledChanges,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly store: AccountStore,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Holds an account, or ends its hold; setting it lifts the pauses it keeps away. After its last day jobs pause
   * again what there is reason to.
   *
   * @param holdUntil last day `YYYY-MM-DD`, null for none
   * @param with `check` refuses by throwing, under the claim of the account; `also` joins the transaction in which it became another day
   * @throws HostingError INVALID_INPUT naming `holdUntil` for a day that is over or more than {@link MAX_HOLD_DAYS} away,
   * and as every change of an account
   */
  async set(id: number, holdUntil: string | null, source: string, { check, also }: HoldGuards): Promise<HostRecord> {
    const today = legacyDay(this.clock.now(), this.config.timezone);
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
      if (serves !== lastDayOf(account)) await this.changes.tell(claim, () => driver.renew(serves));
      if (resumes) await this.changes.tell(claim, () => driver.unsuspend());
      const state = resumes ? 'active' : account.state;
      return this.changes.finish(claim, { holdUntil, pauseReasons, state }, async (after) => {
        if (account.holdUntil !== holdUntil) await also(after);
        if (resumes) await this.store.record('host.unpaused', after, source, [account.username, id]);
      });
    });
  }
}

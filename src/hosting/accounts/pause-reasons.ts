import { Injectable } from '@nestjs/common';

import { OPEN_PAUSES } from '../../auth/index.js';
import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { isHeld } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';

import { AccountChanges, type ClaimedAccount } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { AccountStore } from './account-store.js';
import { AUTOMATIC_PAUSES, reasonsWithout } from './state-machine.js';

/** Joins the transaction in which an account stops, or runs again. */
export type AccountTelling = (after: HostingAccount) => Promise<unknown>;

/** Adds and lifts reasons of an account that is claimed: the account stops with the first one and runs again without any. */
@Injectable()
export class PauseReasons {
  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * One that is there already changes nothing, nor does one of a job on an account that is held. `host.paused` fires when the account
   * stops; the sessions end unless its owner may still come in.
   */
  async add(claim: ClaimedAccount, reason: string, source: string, also?: AccountTelling): Promise<HostingAccount> {
    const { account } = claim;
    if (account.pauseReasons.includes(reason) || this.isKeptAway(account, reason)) return account;
    const pauseReasons = [...account.pauseReasons, reason];
    const endSessions = async (): Promise<void> => {
      if (!OPEN_PAUSES.includes(reason)) await this.store.endSessions(account.id);
    };
    if (account.state === 'paused') return this.changes.finish(claim, { pauseReasons }, endSessions);
    const driver = await this.drivers.of(account);
    await this.changes.tell(claim, () => driver.suspend(reason));
    return this.changes.finish(claim, { state: 'paused', pauseReasons }, async (after) => {
      await endSessions();
      await this.store.record('host.paused', after, source, [account.username, account.id]);
      await also?.(after);
    });
  }

  /** One that is not there changes nothing. `host.unpaused` fires when the account runs again. */
  async lift(claim: ClaimedAccount, reason: string, source: string, also?: AccountTelling): Promise<HostingAccount> {
    const { account } = claim;
    const pauseReasons = reasonsWithout(account.pauseReasons, reason);
    if (pauseReasons.length === account.pauseReasons.length) return account;
    if (pauseReasons.length) return this.changes.finish(claim, { pauseReasons });
    const driver = await this.drivers.of(account);
    await this.changes.tell(claim, () => driver.unsuspend());
    return this.changes.finish(claim, { state: 'active', pauseReasons }, async (after) => {
      await this.store.record('host.unpaused', after, source, [account.username, account.id]);
      await also?.(after);
    });
  }

  private isKeptAway(account: HostingAccount, reason: string): boolean {
    return AUTOMATIC_PAUSES.includes(reason) && isHeld(account, legacyDay(this.clock.now(), this.config.timezone));
  }
}

import { Injectable } from '@nestjs/common';

import { OPEN_PAUSES } from '../../auth/index.js';
import { ZonedClock } from '../../config/index.js';
import { isHeld } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';

import { AccountChanges, type ClaimedAccount } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { AccountStore } from './account-store.js';
import { AUTOMATIC_PAUSES, reasonsWithout } from './state-machine.js';

/** Runs in the transaction in which an account is paused or unpaused. */
export type AccountTelling = (after: HostingAccount) => Promise<unknown>;

/** Adds and lifts pause reasons of a claimed account: it stops with the first reason and runs again without any. */
@Injectable()
export class PauseReasons {
  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly clock: ZonedClock,
  ) {}

  /**
   * Adds a reason. Nothing changes if the account has it already, or if a job adds it to an account on hold. `host.paused` fires when the
   * account stops; its sessions end unless this reason still allows the owner to sign in.
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
    await this.changes.callServer(claim, () => driver.suspend(reason));
    return this.changes.finish(claim, { state: 'paused', pauseReasons }, async (after) => {
      await endSessions();
      await this.store.record('host.paused', after, source, [account.username, account.id]);
      await also?.(after);
    });
  }

  /** Lifts a reason; nothing changes if the account does not have it. `host.unpaused` fires when the account runs again. */
  async lift(claim: ClaimedAccount, reason: string, source: string, also?: AccountTelling): Promise<HostingAccount> {
    const { account } = claim;
    const pauseReasons = reasonsWithout(account.pauseReasons, reason);
    if (pauseReasons.length === account.pauseReasons.length) return account;
    if (pauseReasons.length) return this.changes.finish(claim, { pauseReasons });
    const driver = await this.drivers.of(account);
    await this.changes.callServer(claim, () => driver.unsuspend());
    return this.changes.finish(claim, { state: 'active', pauseReasons }, async (after) => {
      await this.store.record('host.unpaused', after, source, [account.username, account.id]);
      await also?.(after);
    });
  }

  private isKeptAway(account: HostingAccount, reason: string): boolean {
    return AUTOMATIC_PAUSES.includes(reason) && isHeld(account, this.clock.today());
  }
}

import { setTimeout as wait } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { type DriverResult, succeeded } from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { driverError } from './account-driver.js';
import { AccountStore, ClaimLost, type AccountChange } from './account-store.js';

/** How long a change waits for the previous change of the same account, in milliseconds. */
const BUSY_LIMIT_MS = 20_000;

/** Fields logged for a deleted account. */
const LOGGED_FIELDS: readonly (keyof HostingAccount)[] = ['username', 'nodeCode', 'siteName', 'expiresOn', 'state', 'email'];

/** An account claimed by one change. */
export interface ClaimedAccount {
  /** The row as of the last write of this change. */
  account: HostingAccount;
  /** An earlier change did not end cleanly, so server and row may differ. */
  interrupted: boolean;
  /** A call was sent to the server whose result is not in the row yet. */
  touched: boolean;
  /** The last write ended the claim. */
  ended: boolean;
}

/** Runs the changes of one account one after another, within this process and across processes, and always releases the claim. */
@Injectable()
export class AccountChanges {
  private readonly queues = new Map<number, Promise<unknown>>();

  constructor(private readonly store: AccountStore) {}

  /**
   * Runs `work` with the account claimed.
   *
   * @returns null when the account does not exist (any more)
   * @throws HostingError ACCOUNT_BUSY when another change does not end in time
   */
  run<T>(id: number, work: (claim: ClaimedAccount) => Promise<T>): Promise<T | null> {
    const before = this.queues.get(id) ?? Promise.resolve();
    const mine = before.then(
      () => this.claimAndRun(id, work),
      () => this.claimAndRun(id, work),
    );
    this.queues.set(id, mine);
    const forget = (): void => {
      if (this.queues.get(id) === mine) this.queues.delete(id);
    };
    mine.then(forget, forget);
    return mine;
  }

  /** Runs `work` with an account that was inserted under a claim. */
  async hold<T>(account: HostingAccount, interrupted: boolean, work: (claim: ClaimedAccount) => Promise<T>): Promise<T> {
    const claim: ClaimedAccount = { account, interrupted, touched: interrupted, ended: false };
    return this.store.whileClaimed(account, async () => {
      try {
        return await work(claim);
      } catch (error) {
        // The process that took over reconciles row and server, so the outcome of this change is unknown here.
        if (error instanceof ClaimLost) throw new HostingError('NODE_UNCERTAIN');
        throw error;
      } finally {
        if (!claim.ended) await (claim.touched ? this.store.releaseUncertain(account) : this.store.release(account));
      }
    });
  }

  /**
   * Calls the server. A call that certainly changed nothing leaves `touched` as it was.
   *
   * @throws HostingError NODE_REFUSED, NODE_UNREACHABLE or NODE_UNCERTAIN
   */
  async callServer<Value>(claim: ClaimedAccount, call: () => Promise<DriverResult<Value>>): Promise<Value> {
    const before = claim.touched;
    claim.touched = true;
    const result = await call();
    if (succeeded(result)) return result.value;
    if (result.outcome !== 'unknown') claim.touched = before;
    throw driverError(result);
  }

  /** Writes the new values and ends the claim; `also` runs in the same transaction and receives the row as it will be. */
  async finish(
    claim: ClaimedAccount,
    values: AccountChange,
    also: (after: HostingAccount) => Promise<void> = () => Promise.resolve(),
  ): Promise<HostingAccount> {
    const after = { ...claim.account, ...values };
    await this.store.database.transaction(async () => {
      await this.store.change(claim.account, values, true);
      this.store.database.noteChange({ of: 'host', id: after.id }, claim.account, values);
      await also(after);
    });
    claim.account = after;
    claim.ended = true;
    return after;
  }

  /** Deletes the row and ends the claim; `also` runs in the same transaction. */
  async remove(claim: ClaimedAccount, also: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.store.database.transaction(async () => {
      await this.store.remove(claim.account);
      this.store.database.noteChange({ of: 'host', id: claim.account.id, only: LOGGED_FIELDS }, claim.account, null);
      await also();
    });
    claim.ended = true;
  }

  private async claimAndRun<T>(id: number, work: (claim: ClaimedAccount) => Promise<T>): Promise<T | null> {
    const giveUpAt = Date.now() + BUSY_LIMIT_MS;
    for (let pause = 10; ; pause = Math.min(pause * 2, 250)) {
      const claimed = await this.store.claim(id);
      if (claimed === 'gone') return null;
      if (claimed !== 'busy') return this.hold(claimed.account, claimed.interrupted, work);
      if (Date.now() >= giveUpAt) throw new HostingError('ACCOUNT_BUSY');
      await wait(pause);
    }
  }
}

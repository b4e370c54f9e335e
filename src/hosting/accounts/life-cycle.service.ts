import { Inject, Injectable } from '@nestjs/common';

import type { HostQuota, HostRecord } from '../../sdk/index.js';
import type { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { AccountChanges } from './account-changes.js';
import { AccountDrivers } from './account-driver.js';
import { checkDay, checkPassword, checkQuota, checkReason } from './account-rules.js';
import { AccountReconciler } from './account-reconciler.js';
import { AccountStore } from './account-store.js';
import { AccountTerms, type TermsChange } from './account-terms.js';
import { DeletionCap, JOB_SOURCE } from './deletion-cap.js';
import { type Deletion, KeptSites } from './kept-sites.js';
import { PASSWORD_HASHING, type PasswordHashing } from './password-hashing.js';
import { type AccountTelling, PauseReasons } from './pause-reasons.js';
import { type AccountGuard, ReconciledChanges } from './reconciled-changes.js';

/** A password its owner changes. */
export interface OwnPassword {
  /** Hash of the password the owner has just shown. */
  readonly presentHash: string;
  /** Joins the transaction, after every session of the account has ended: opens the owner's next one. */
  readonly afterwards: () => Promise<void>;
}

/**
 * Changes of accounts. The server is told first; the row, the event and the end of the account's sessions follow in one
 * transaction. A change to what already is succeeds, does nothing and fires nothing.
 */
@Injectable()
export class LifeCycleService {
  constructor(
    private readonly store: AccountStore,
    private readonly settled: ReconciledChanges,
    private readonly reasons: PauseReasons,
    private readonly changes: AccountChanges,
    private readonly settlement: AccountReconciler,
    private readonly drivers: AccountDrivers,
    private readonly kept: KeptSites,
    private readonly cap: DeletionCap,
    private readonly terms: AccountTerms,
    @Inject(PASSWORD_HASHING) private readonly passwords: PasswordHashing,
  ) {}

  /** Reasons stack; the account stops with the first one. `host.paused` fires when it stops. */
  async pause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    checkReason(reason);
    return this.settled.run(id, 'pause', (claim) => this.reasons.add(claim, reason, source, also));
  }

  /** Lifts one reason; the account runs again, and `host.unpaused` fires, when it was the last one. */
  async unpause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    checkReason(reason);
    return this.settled.run(id, 'unpause', (claim) => this.reasons.lift(claim, reason, source, also));
  }

  /** Moves the last day; a day that is not over lifts the pause for expiry, and only that. */
  async renew(id: number, expiresOn: string | null, source: string, guard?: AccountGuard): Promise<HostRecord> {
    checkDay(expiresOn);
    return this.settled.run(id, 'renew', (claim) => this.terms.change(claim, { expiresOn }, source), guard);
  }

  /** Changes last day, limits and package from what they are, once: what says that it was done joins the transaction that does it. */
  changeTerms(id: number, change: TermsChange, source: string): Promise<HostRecord> {
    return this.settled.run(id, 'renew', (claim) => this.terms.make(claim, change, source));
  }

  /** Sets where notices for the owner go; null for nowhere. The server is not asked: it has no use for it. */
  setEmail(id: number, email: string | null, guard?: AccountGuard): Promise<HostRecord> {
    return this.settled.run(id, 'setEmail', (claim) => this.changes.finish(claim, { email }), guard);
  }

  /**
   * Says whose it is among the customers; null for nobody's. The server has no use for it.
   *
   * @param also joins the transaction, and may refuse
   */
  setOwner(id: number, ownerId: number | null, also: () => Promise<void>): Promise<HostRecord> {
    return this.settled.run(id, 'assign', (claim) =>
      claim.account.ownerId === ownerId ? Promise.resolve(claim.account) : this.changes.finish(claim, { ownerId }, also),
    );
  }

  /** Sets the given limits and leaves the others as they are; limits that are wide enough again lift the pause for them. */
  async setQuota(id: number, quota: HostQuota, source: string, guard?: AccountGuard): Promise<HostRecord> {
    checkQuota(quota);
    return this.settled.run(id, 'setQuota', (claim) => this.terms.change(claim, { limits: quota }, source), guard);
  }

  /**
   * Changes the password on the server and in the panel and ends the account's sessions.
   *
   * @throws HostingError ACCOUNT_STATE where the password is not the one of `owner` any more
   */
  async changePassword(id: number, password: string, owner?: OwnPassword, guard?: AccountGuard): Promise<HostRecord> {
    checkPassword(password);
    const passwordHash = await this.passwords.hash(password);
    return this.settled.run(
      id,
      'changePassword',
      async (claim) => {
        if (owner && claim.account.passwordHash !== owner.presentHash) throw new HostingError('ACCOUNT_STATE');
        const driver = await this.drivers.of(claim.account);
        await this.changes.tell(claim, () => driver.changePassword(password));
        return this.changes.finish(claim, { passwordHash }, async () => {
          await this.store.endSessions(id);
          await this.store.forgetDevices(id);
          await owner?.afterwards();
        });
      },
      guard,
    );
  }

  /**
   * Deletes site and account. A server that keeps deleted sites keeps this one, and a row says so from the moment the deletion begins; what
   * a job deletes counts towards what jobs may delete a day.
   *
   * @param guard sees the account once nobody else can change it: false leaves it as it is
   * @returns whether it was deleted
   * @throws HostingError ACCOUNT_NOT_FOUND for one that is not there; DELETIONS_HELD for a job that may delete no more today
   */
  async terminate(id: number, deletion: Deletion, guard?: (account: HostingAccount) => Promise<boolean>): Promise<boolean> {
    const done = await this.changes.run(id, async (claim) => {
      const { state } = claim.account;
      if (state !== 'active' && state !== 'paused') {
        return !(await this.settlement.settle(claim));
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
      await this.settlement.finishTermination(claim, deletion.source);
      return true;
    });
    if (done === null) throw new HostingError('ACCOUNT_NOT_FOUND');
    // What was still being created had to come to its end first.
    return done === false ? this.terminate(id, deletion, guard) : done === true;
  }
}

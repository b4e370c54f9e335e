import { Injectable } from '@nestjs/common';

import type { HostQuota, HostRecord } from '../../sdk/index.js';
import type { HostingAccount } from '../entities/index.js';

import { AccountChanges } from './account-changes.js';
import { checkDay, checkQuota, checkReason } from './account-rules.js';
import { AccountPasswords, type OwnPassword } from './account-passwords.js';
import { AccountTermination } from './account-termination.js';
import { AccountTerms, type TermsChange } from './account-terms.js';
import type { Deletion } from './kept-sites.js';
import { type AccountTelling, PauseReasons } from './pause-reasons.js';
import { type AccountGuard, ReconciledChanges } from './reconciled-changes.js';

/**
 * Changes of accounts. The server is told first; the row, the event and the end of the account's sessions follow in one
 * transaction. A change to what already is succeeds, does nothing and fires nothing.
 */
@Injectable()
export class LifeCycleService {
  constructor(
    private readonly reconciled: ReconciledChanges,
    private readonly reasons: PauseReasons,
    private readonly changes: AccountChanges,
    private readonly terms: AccountTerms,
    private readonly passwords: AccountPasswords,
    private readonly termination: AccountTermination,
  ) {}

  /** Reasons stack; the account stops with the first one. `host.paused` fires when it stops. */
  async pause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    checkReason(reason);
    return this.reconciled.run(id, 'pause', (claim) => this.reasons.add(claim, reason, source, also));
  }

  /** Lifts one reason; the account runs again, and `host.unpaused` fires, when it was the last one. */
  async unpause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    checkReason(reason);
    return this.reconciled.run(id, 'unpause', (claim) => this.reasons.lift(claim, reason, source, also));
  }

  /** Moves the last day; a day that is not over lifts the pause for expiry, and only that. */
  async renew(id: number, expiresOn: string | null, source: string, guard?: AccountGuard): Promise<HostRecord> {
    checkDay(expiresOn);
    return this.reconciled.run(id, 'renew', (claim) => this.terms.change(claim, { expiresOn }, source), guard);
  }

  /** Changes last day, limits and package from what they are, once: what says that it was done joins the transaction that does it. */
  changeTerms(id: number, change: TermsChange, source: string): Promise<HostRecord> {
    return this.reconciled.run(id, 'renew', (claim) => this.terms.make(claim, change, source));
  }

  /** Sets where notices for the owner go; null for nowhere. The server is not asked: it has no use for it. */
  setEmail(id: number, email: string | null, guard?: AccountGuard): Promise<HostRecord> {
    return this.reconciled.run(id, 'setEmail', (claim) => this.changes.finish(claim, { email }), guard);
  }

  /**
   * Says whose it is among the customers; null for nobody's. The server has no use for it.
   *
   * @param also joins the transaction, and may refuse
   */
  setOwner(id: number, ownerId: number | null, also: () => Promise<void>): Promise<HostRecord> {
    return this.reconciled.run(id, 'assign', (claim) =>
      claim.account.ownerId === ownerId ? Promise.resolve(claim.account) : this.changes.finish(claim, { ownerId }, also),
    );
  }

  /** Sets the given limits and leaves the others as they are; limits that are wide enough again lift the pause for them. */
  async setQuota(id: number, quota: HostQuota, source: string, guard?: AccountGuard): Promise<HostRecord> {
    checkQuota(quota);
    return this.reconciled.run(id, 'setQuota', (claim) => this.terms.change(claim, { limits: quota }, source), guard);
  }

  /** See {@link AccountPasswords.change}. */
  changePassword(id: number, password: string, owner?: OwnPassword, guard?: AccountGuard): Promise<HostRecord> {
    return this.passwords.change(id, password, owner, guard);
  }

  /** See {@link AccountTermination.terminate}. */
  terminate(id: number, deletion: Deletion, guard?: (account: HostingAccount) => Promise<boolean>): Promise<boolean> {
    return this.termination.terminate(id, deletion, guard);
  }
}

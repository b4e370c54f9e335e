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
 * Changes accounts. The server is called first; the row, the event and the end of the account's sessions follow in one transaction. A
 * change to the present state succeeds, does nothing and fires no event.
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

  /** Adds a pause reason. Reasons stack; the first one stops the account and fires `host.paused`. */
  async pause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    checkReason(reason);
    return this.reconciled.run(id, 'pause', (claim) => this.reasons.add(claim, reason, source, also));
  }

  /** Lifts one reason; the account runs again, and `host.unpaused` fires, when it was the last one. */
  async unpause(id: number, reason: string, source: string, also?: AccountTelling): Promise<HostRecord> {
    checkReason(reason);
    return this.reconciled.run(id, 'unpause', (claim) => this.reasons.lift(claim, reason, source, also));
  }

  /** Changes the last day; a day that is not over lifts the expiry pause, and only that. */
  async renew(id: number, expiresOn: string | null, source: string, guard?: AccountGuard): Promise<HostRecord> {
    checkDay(expiresOn);
    return this.reconciled.run(id, 'renew', (claim) => this.terms.change(claim, { expiresOn }, source), guard);
  }

  /** Changes last day, limits and package based on their present values, once: the record that it was done is in the same transaction. */
  changeTerms(id: number, change: TermsChange, source: string): Promise<HostRecord> {
    return this.reconciled.run(id, 'renew', (claim) => this.terms.make(claim, change, source));
  }

  /** Sets the address for notices to the owner; null for none. The server does not need it and is not called. */
  setEmail(id: number, email: string | null, guard?: AccountGuard): Promise<HostRecord> {
    return this.reconciled.run(id, 'setEmail', (claim) => this.changes.finish(claim, { email }), guard);
  }

  /**
   * Assigns the account to a customer; null for none. The server does not need it and is not called.
   *
   * @param also runs in the transaction, and may refuse by throwing
   */
  setOwner(id: number, ownerId: number | null, also: () => Promise<void>): Promise<HostRecord> {
    return this.reconciled.run(id, 'assign', (claim) =>
      claim.account.ownerId === ownerId ? Promise.resolve(claim.account) : this.changes.finish(claim, { ownerId }, also),
    );
  }

  /** Sets the given limits and leaves the others unchanged; sufficient limits lift the quota pause. */
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

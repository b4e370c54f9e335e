import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import type { HostQuota } from '../../sdk/index.js';
import { isExpired, lastDayOf } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';
import { NEVER } from '../wire/index.js';

import { AccountChanges, type ClaimedAccount } from './account-changes.js';
import { AccountDrivers, quotaOf } from './account-driver.js';
import { isOverQuota } from './account-limits.js';
import { checkDay, checkPackage, checkQuota } from './account-rules.js';
import { AccountStore } from './account-store.js';
import { PAUSE_REASON, reasonsWithout } from './state-machine.js';

/** New terms of an account; missing fields stay unchanged. */
export interface Terms {
  /** Last day `YYYY-MM-DD`, null for never. */
  readonly expiresOn?: string | null;
  readonly limits?: HostQuota;
  /** Package key, null for none. */
  readonly packageKey?: string | null;
}

/** A change of terms that is applied only once, however often it is requested. */
export interface TermsChange {
  /** Called under the claim of the account: returns its new terms, or null if this change was made before. */
  readonly termsOf: (account: HostingAccount, today: string) => Promise<Terms | null>;
  /** Runs in the same transaction: records that the change was made. */
  readonly done?: (before: HostingAccount, after: HostingAccount, today: string) => Promise<void>;
}

/** Changes last day, limits and package of a claimed account in one step: first on the server, then in the row with its events. */
@Injectable()
export class AccountTerms {
  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly clock: ZonedClock,
  ) {}

  /** Applies a change of terms, once. */
  async make(claim: ClaimedAccount, { termsOf, done }: TermsChange, source: string): Promise<HostingAccount> {
    const today = this.today();
    const terms = await termsOf(claim.account, today);
    if (terms === null) return claim.account;
    return this.change(claim, terms, source, done && ((before, after) => done(before, after, today)));
  }

  /**
   * Changing to the present values does nothing and fires no event, unless `done` has to record something. A last day that is not over
   * lifts the expiry pause; sufficient limits lift the quota pause.
   *
   * @throws HostingError INVALID_INPUT
   */
  async change(
    claim: ClaimedAccount,
    terms: Terms,
    source: string,
    done?: (before: HostingAccount, after: HostingAccount) => Promise<void>,
  ) {
    checkTerms(terms);
    const { account } = claim;
    const wanted = { ...limitsOf(account, terms.limits ?? {}), ...dayAndPackage(account, terms) };
    const after = { ...account, ...wanted };
    const pauseReasons = this.reasonsAfter(account, after, terms);
    const moved = after.expiresOn !== account.expiresOn;
    const limited = JSON.stringify(quotaOf(after)) !== JSON.stringify(quotaOf(account));
    const lifted = pauseReasons.length < account.pauseReasons.length;
    const changed = moved || limited || lifted || after.packageKey !== account.packageKey;
    // Monitors and backups are counted only by the panel, so the server is not called.
    const counted = after.monitorQuota !== account.monitorQuota || after.backupQuota !== account.backupQuota;
    if (!changed && !counted && !done) return account;
    const resumes = lifted && pauseReasons.length === 0;
    if (moved || limited || resumes) {
      const driver = await this.drivers.of(account);
      if (moved) await this.changes.callServer(claim, () => driver.renew(lastDayOf(after)));
      if (limited) await this.changes.callServer(claim, () => driver.changeQuota(quotaOf(after)));
      if (resumes) await this.changes.callServer(claim, () => driver.unsuspend());
    }
    const state = resumes ? 'active' : account.state;
    return this.changes.finish(claim, { ...wanted, pauseReasons, state }, async (written) => {
      await this.record(account, written, source, { moved, limited: limited || counted, resumes });
      await done?.(account, written);
    });
  }

  private async record(
    before: HostingAccount,
    after: HostingAccount,
    source: string,
    done: { readonly moved: boolean; readonly limited: boolean; readonly resumes: boolean },
  ): Promise<void> {
    const { id, username } = before;
    const dates = { old_date: before.expiresOn ?? NEVER, new_date: after.expiresOn ?? NEVER };
    if (done.moved) await this.store.record('host.renewed', after, source, [username, id, dates.new_date], dates);
    if (done.limited) await this.store.recordLimits(before, after, source);
    if (done.resumes) await this.store.record('host.unpaused', after, source, [username, id]);
    if (before.packageKey === after.packageKey) return;
    const packages = { old_package: before.packageKey ?? '', new_package: after.packageKey ?? '' };
    await this.store.record('host.package.changed', after, source, [username, id, packages.new_package], packages);
  }

  private reasonsAfter(before: HostingAccount, after: HostingAccount, { expiresOn, limits }: Terms): string[] {
    let reasons = before.pauseReasons;
    if (expiresOn !== undefined && !isExpired(lastDayOf(after), this.today())) reasons = reasonsWithout(reasons, PAUSE_REASON.expiry);
    const widened = limits !== undefined && JSON.stringify(quotaOf(after)) !== JSON.stringify(quotaOf(before));
    return widened && !isOverQuota(after) ? reasonsWithout(reasons, PAUSE_REASON.quota) : reasons;
  }

  private today(): string {
    return this.clock.today();
  }
}

function checkTerms({ expiresOn, limits, packageKey }: Terms): void {
  if (expiresOn !== undefined) checkDay(expiresOn);
  if (limits !== undefined) checkQuota(limits);
  if (packageKey !== undefined) checkPackage(packageKey);
}

const dayAndPackage = (account: HostingAccount, { expiresOn, packageKey }: Terms) => ({
  expiresOn: expiresOn === undefined ? account.expiresOn : expiresOn,
  packageKey: packageKey === undefined ? account.packageKey : packageKey,
});

const limitsOf = (account: HostingAccount, limits: HostQuota) => ({
  webQuotaMb: limits.webMb ?? account.webQuotaMb,
  databaseQuotaMb: limits.databaseMb ?? account.databaseQuotaMb,
  trafficQuotaGb: limits.trafficGb ?? account.trafficQuotaGb,
  domainQuota: limits.domains ?? account.domainQuota,
  monitorQuota: limits.monitors === undefined ? account.monitorQuota : limits.monitors,
  backupQuota: limits.backups === undefined ? account.backupQuota : limits.backups,
});

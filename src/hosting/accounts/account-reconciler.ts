import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { type DriverResult, type RemoteSite, succeeded } from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';
import { lastDayOf } from '../calendar.js';
import { HostingError } from '../hosting-errors.js';

import { AccountChanges, type ClaimedAccount } from './account-changes.js';
import { AccountDrivers, type BoundDriver, driverError } from './account-driver.js';
import { AccountStore } from './account-store.js';
import { KeptSites } from './kept-sites.js';

const log = loggerFor('hosting');

/** Completes a creation, a deletion or an interrupted change, so that server and row agree. */
@Injectable()
export class AccountReconciler {
  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
    private readonly kept: KeptSites,
  ) {}

  /**
   * Completes what an earlier change left unfinished.
   *
   * @returns whether the account still exists; if so, the claim continues unless `ended`
   * @throws HostingError NODE_UNREACHABLE, NODE_UNCERTAIN or NODE_REFUSED: it stays unfinished
   */
  async reconcile(claim: ClaimedAccount): Promise<boolean> {
    switch (claim.account.state) {
      case 'provisioning':
        // Only an adopted site has an id before its account is active.
        if (claim.account.siteId !== '') return this.recoverAdoption(claim);
        await this.finishCreation(claim, null, claim.account.openedBy);
        return true;
      case 'failed':
        await this.rollBack(claim);
        return false;
      case 'terminating':
        await this.finishTermination(claim, 'cron');
        return false;
      default:
        await this.converge(claim);
        return true;
    }
  }

  /** Creates the site and activates the account. @throws HostingError after a rollback, or with the creation left unfinished */
  async finishCreation(claim: ClaimedAccount, password: string | null, source: string): Promise<HostingAccount> {
    const { account } = claim;
    const driver = await this.drivers.of(account);
    const maybeThere = claim.touched;
    claim.touched = true;
    const made = await driver.create(account, password);
    const kept = succeeded(made) ? await this.kept.restoredBy(account.id) : null;
    const result = kept && succeeded(made) ? withValue(await driver.restore(await this.drivers.ofKept(kept)), made.value) : made;
    if (succeeded(result)) {
      const values = { state: 'active', siteId: result.value.siteId } as const;
      return this.changes.finish(claim, values, async (after) => {
        if (kept) await this.kept.leave(after.id);
        await this.store.record('host.created', after, source, [after.username, after.id, after.nodeCode]);
      });
    }
    const untouched = result.outcome === 'unreachable' && !maybeThere && !succeeded(made);
    if (untouched) await this.changes.remove(claim, () => this.kept.giveBack(account.id));
    else if (result.outcome !== 'unreachable' && result.outcome !== 'unknown') await this.rollBack(claim);
    if (kept && result.outcome === 'not_found') throw new HostingError('BIN_LOST');
    throw driverError(result, 'CREATION_REFUSED');
  }

  /**
   * Adopts a site that exists on the server for the account.
   *
   * @throws HostingError after having removed the account, or with the adoption left unfinished
   */
  async finishAdoption(claim: ClaimedAccount, password: string, from: RemoteSite, source: string): Promise<HostingAccount> {
    const { account } = claim;
    const driver = await this.drivers.of(account);
    claim.touched = true;
    const result = await driver.adopt(account, password, from);
    if (succeeded(result)) return this.open(claim, result.value.siteId, source);
    if (result.outcome !== 'unknown') await this.changes.remove(claim);
    throw driverError(result);
  }

  /**
   * Recovers an interrupted adoption: the mark of the site says whether it belongs to the account. Otherwise the site is left unchanged.
   */
  private async recoverAdoption(claim: ClaimedAccount): Promise<boolean> {
    const { account } = claim;
    const status = await (await this.drivers.of(account)).sync();
    if (succeeded(status)) {
      await this.open(claim, account.siteId, account.openedBy);
      return true;
    }
    if (status.outcome !== 'refused' && status.outcome !== 'not_found') throw driverError(status);
    await this.changes.remove(claim);
    return false;
  }

  private open(claim: ClaimedAccount, siteId: string, source: string): Promise<HostingAccount> {
    return this.changes.finish(claim, { state: 'active', siteId }, (after) =>
      this.store.record('host.created', after, source, [after.username, after.id, after.nodeCode]),
    );
  }

  /** Removes what a failed creation may have left, then the row; if the server is unreachable, the row stays. */
  async rollBack(claim: ClaimedAccount): Promise<void> {
    claim.touched = true;
    if (claim.account.state !== 'failed') {
      await this.store.change(claim.account, { state: 'failed' }, false);
      claim.account = { ...claim.account, state: 'failed' };
    }
    const driver = await this.drivers.of(claim.account);
    let result: DriverResult<unknown> = await driver.terminate();
    // The server refuses if the site was never ours. After an interrupted attempt that may have created it, `sync` decides.
    if (result.outcome === 'refused') result = cleanUpResult(await driver.sync(), claim.interrupted);
    if (!succeeded(result) && result.outcome !== 'not_found') {
      log.warn({ account: claim.account.id, outcome: result.outcome }, 'a failed creation could not be cleaned up yet');
      return;
    }
    const { id } = claim.account;
    if (driver.keeps) {
      // Purges the remains of a failed creation. If it was a restore, only when the deleted site is still in the bin: else they are its
      // files.
      const kept = await this.kept.restoredBy(id);
      const there = kept ? await (await this.drivers.ofKept(kept)).isKept() : null;
      if (there && !succeeded(there)) return;
      if (!there || there.value) {
        const purged = await driver.purge();
        if (!succeeded(purged) && purged.outcome !== 'not_found') return;
      }
    }
    await this.changes.remove(claim, () => this.kept.giveBack(id));
  }

  /** Deletes the site and the account. @throws HostingError when the server did not do it */
  async finishTermination(claim: ClaimedAccount, source: string): Promise<void> {
    const { account } = claim;
    const driver = await this.drivers.of(account);
    const result = await driver.terminate();
    const gone = succeeded(result) || result.outcome === 'not_found';
    if (gone) return this.removeDeleted(claim, driver, source);
    const state = account.pauseReasons.length ? 'paused' : 'active';
    if (claim.interrupted) {
      // An earlier attempt may have worked: if the server refuses now, check whether the site still exists.
      const status = result.outcome === 'refused' ? await driver.sync() : result;
      if (status.outcome === 'not_found') return this.removeDeleted(claim, driver, source);
      if (succeeded(status)) await this.reactivate(account, state);
    } else if (result.outcome !== 'unknown') await this.changes.finish(claim, { state }, () => this.kept.drop(account));
    throw driverError(result);
  }

  /** Reactivates the account after the server refused to delete the site. */
  private reactivate(account: HostingAccount, state: 'active' | 'paused'): Promise<void> {
    return this.store.database.transaction(async () => {
      await this.store.change(account, { state }, false);
      await this.kept.drop(account);
    });
  }

  private async removeDeleted(claim: ClaimedAccount, driver: BoundDriver, requestedBy: string): Promise<void> {
    const { account } = claim;
    const row = await this.kept.ofSite(account.siteName);
    const source = row?.deletedBy ?? requestedBy;
    // Drop the bin row only if the server confirms that it does not have the site; keep it when in doubt.
    const there = driver.keeps ? await driver.isKept() : null;
    const isKept = there !== null && !(succeeded(there) && !there.value);
    return this.changes.remove(claim, async () => {
      await (isKept ? this.kept.finish(account, source) : this.kept.drop(account));
      await this.store.endSessions(account.id);
      await this.store.forgetDevices(account.id);
      await this.store.record('host.deleted', account, source, [account.username, account.id], { qk: 'false', zjzt: 'deleted' });
    });
  }

  /** Sends the values of the row to the server, because an interrupted change was not written to the row. */
  private async converge(claim: ClaimedAccount): Promise<void> {
    const { account } = claim;
    const driver = await this.drivers.of(account);
    const steps: (() => Promise<DriverResult>)[] = [
      () => driver.renew(lastDayOf(account)),
      () => driver.changeLimits(account),
      () => (account.state === 'paused' ? driver.suspend(account.pauseReasons.join(',')) : driver.unsuspend()),
    ];
    for (const step of steps) {
      const result = await step();
      if (result.outcome === 'not_found') {
        // Nothing to reconcile; the next operation on the account reports the missing site.
        log.warn({ account: account.id }, 'the site of an account is not on its server');
        break;
      }
      if (!succeeded(result)) throw driverError(result);
    }
    claim.interrupted = false;
    claim.touched = false;
  }
}

/** Combines the outcome of one call with the value of an earlier one. */
function withValue<Value>(result: DriverResult, value: Value): DriverResult<Value> {
  return succeeded(result) ? { ...result, value } : result;
}

/** Turns the result of `sync` after a refused clean-up into the outcome of that clean-up. */
function cleanUpResult(status: DriverResult<unknown>, maybeOurs: boolean): DriverResult<unknown> {
  if (succeeded(status)) return { outcome: 'refused', message: 'the site still exists' };
  return status.outcome === 'refused' && !maybeOurs ? { outcome: 'not_found' } : status;
}

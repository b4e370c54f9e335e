import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';
import { succeeded, type DriverResult } from '../driver/index.js';
import type { HostingAccount } from '../entities/index.js';

import { AccountChanges, type ClaimedAccount } from './account-changes.js';
import { AccountDrivers, driverError, quotaOf } from './account-driver.js';
import { AccountStore } from './account-store.js';

const log = loggerFor('hosting');

/** Brings a creation, a deletion or an interrupted change to its end, so that server and row say the same. */
@Injectable()
export class AccountSettlement {
  constructor(
    private readonly store: AccountStore,
    private readonly changes: AccountChanges,
    private readonly drivers: AccountDrivers,
  ) {}

  /**
   * Settles what an earlier change left open.
   *
   * @returns whether the account is still there; when it is, the claim goes on unless `ended`
   * @throws HostingError NODE_UNREACHABLE or NODE_UNCERTAIN: it stays open
   */
  async settle(claim: ClaimedAccount): Promise<boolean> {
    switch (claim.account.state) {
      case 'provisioning':
        await this.finishCreation(claim, null, sourceOf(claim.account));
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

  /** Makes the site and the account active. @throws HostingError after having rolled back, or with the creation left open */
  async finishCreation(claim: ClaimedAccount, password: string | null, source: string): Promise<HostingAccount> {
    const { account } = claim;
    const driver = await this.drivers.of(account);
    const maybeThere = claim.touched;
    claim.touched = true;
    const result = await driver.create(account, password);
    if (succeeded(result)) {
      const values = { state: 'active', siteId: result.value.siteId } as const;
      return this.changes.finish(claim, values, (after) =>
        this.store.record('host.created', after, source, [after.username, after.id, after.nodeCode]),
      );
    }
    const untouched = result.outcome === 'unreachable' && !maybeThere;
    if (untouched) await this.changes.remove(claim);
    else if (result.outcome !== 'unreachable' && result.outcome !== 'unknown') await this.rollBack(claim);
    throw driverError(result, 'CREATION_REFUSED');
  }

  /** Removes what a creation that failed may have left, then the row; an unreachable server leaves it open. */
  async rollBack(claim: ClaimedAccount): Promise<void> {
    claim.touched = true;
    if (claim.account.state !== 'failed') {
      await this.store.change(claim.account, { state: 'failed' }, false);
      claim.account = { ...claim.account, state: 'failed' };
    }
    const result = await (await this.drivers.of(claim.account)).terminate();
    if (result.outcome === 'unreachable' || result.outcome === 'unknown') {
      log.warn({ account: claim.account.id, outcome: result.outcome }, 'a failed creation could not be cleaned up yet');
      return;
    }
    await this.changes.remove(claim);
  }

  /** Deletes the site and the account. @throws HostingError when the server did not do it */
  async finishTermination(claim: ClaimedAccount, source: string): Promise<void> {
    const { account } = claim;
    const result = await (await this.drivers.of(account)).terminate();
    if (succeeded(result) || result.outcome === 'not_found') {
      await this.changes.remove(claim, async () => {
        await this.store.endSessions(account.id);
        await this.store.record('host.deleted', account, source, [account.username, account.id]);
      });
      return;
    }
    // An earlier attempt may have been half done: then only the server can say that nothing happened.
    if (result.outcome === 'refused' || (result.outcome === 'unreachable' && !claim.unsettled)) {
      await this.changes.finish(claim, { state: account.pauseReasons.length ? 'paused' : 'active' });
    }
    throw driverError(result);
  }

  /** Tells the server what the row says: what was to be changed did not get as far as the row. */
  private async converge(claim: ClaimedAccount): Promise<void> {
    const { account } = claim;
    const driver = await this.drivers.of(account);
    const steps: (() => Promise<DriverResult>)[] = [
      () => driver.renew(account.expiresOn),
      () => driver.changeQuota(quotaOf(account)),
      () => (account.state === 'paused' ? driver.suspend(account.pauseReasons.join(',')) : driver.unsuspend()),
    ];
    for (const step of steps) {
      const result = await step();
      if (result.outcome === 'unreachable' || result.outcome === 'unknown') throw driverError(result);
      if (!succeeded(result)) {
        log.warn({ account: account.id, outcome: result.outcome }, 'the server does not take what the panel has');
      }
    }
    claim.unsettled = false;
    claim.touched = false;
  }
}

/** Who asked for an account, as far as its request key tells. */
function sourceOf(account: HostingAccount): string {
  return account.requestKey?.split(':', 1)[0] ?? 'cron';
}

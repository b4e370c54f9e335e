import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import {
  AccountDrivers,
  AccountStore,
  driverError,
  JOB_SOURCE,
  LifeCycleService,
  PAUSE_REASON,
  PauseReasons,
  ReconciledChanges,
} from '../accounts/index.js';
import { DriverRegistry, type IdleSign, succeeded, tellableSigns } from '../driver/index.js';
import { type HostingAccount, SiteDomain } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

/** Decides, on the locked account and its server's current answer, whether the action still applies; false leaves it unchanged. */
export type StillIdle = (account: HostingAccount, shown: readonly IdleSign[]) => Promise<boolean>;

/**
 * Checks hosts on their servers and runs idle actions. Uses the same code paths as any pause or deletion, after a final check under the
 * claim.
 */
@Injectable()
export class IdleActions {
  constructor(
    private readonly store: AccountStore,
    private readonly drivers: AccountDrivers,
    private readonly registry: DriverRegistry,
    private readonly reconciled: ReconciledChanges,
    private readonly reasons: PauseReasons,
    private readonly lifeCycle: LifeCycleService,
    private readonly database: Database,
  ) {}

  /** Returns the signs a server can detect. */
  detectableSigns(node: { driver: string }): readonly IdleSign[] {
    return this.registry.idleSigns(node);
  }

  /**
   * Returns the signs of being unused that a host shows; empty if its server cannot detect any.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, and errors of the server
   */
  async look(id: number): Promise<readonly IdleSign[]> {
    const account = await this.store.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return this.ask(account);
  }

  /** @returns whether this call paused it */
  async pause(id: number, still: StillIdle): Promise<boolean> {
    let done = false;
    await this.reconciled.run(id, 'pause', async (claim) => {
      if (!(await still(claim.account, await this.ask(claim.account)))) return claim.account;
      const after = await this.reasons.add(claim, PAUSE_REASON.idle, JOB_SOURCE);
      // A hold prevents the pause.
      done = after.pauseReasons.includes(PAUSE_REASON.idle);
      return after;
    });
    return done;
  }

  /** @returns whether it was deleted */
  delete(id: number, still: StillIdle): Promise<boolean> {
    return this.lifeCycle.terminate(id, { source: JOB_SOURCE }, async (account) => still(account, await this.ask(account)));
  }

  /** Ends the pause of an unused host. */
  async lift(id: number, source: string): Promise<void> {
    await this.lifeCycle.unpause(id, PAUSE_REASON.idle, source);
  }

  private async ask(account: HostingAccount): Promise<readonly IdleSign[]> {
    const bound = await this.drivers.of(account);
    const { driver } = bound;
    if (tellableSigns(driver).length === 0) return [];
    const domain: IdleSign[] = driver.domains && !(await this.hasDomain(account.id)) ? ['domain'] : [];
    const own = driver.idleSigns.filter((sign) => !(sign === 'domain' && driver.domains));
    if (own.length === 0) return domain;
    const result = await bound.idle();
    if (!succeeded(result)) throw driverError(result);
    return [...domain, ...result.value.filter((sign) => own.includes(sign))];
  }

  private hasDomain(accountId: number): Promise<boolean> {
    return this.database.repository(SiteDomain).existsBy({ accountId });
  }
}

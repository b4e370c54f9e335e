import { Injectable } from '@nestjs/common';

import { Clock, loggerFor } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import {
  AccountDrivers,
  AccountStore,
  checkAllowed,
  driverError,
  isOverQuota,
  PAUSE_REASON,
  PauseReasons,
  ReconciledChanges,
} from '../accounts/index.js';
import { type SiteStatus, succeeded } from '../driver/index.js';
import { HostingAccount } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { TrafficRepository } from '../traffic/index.js';

import { AccountSweep, type SweptAccount } from './account-sweep.js';

const log = loggerFor('hosting');
const BATCH = 100;

/** How long a measurement is good for. */
export const USAGE_INTERVAL_MS = 15 * 60_000;

/** Measures what accounts use, stores it, and pauses who uses more than was bought; using less again lifts that pause. */
@Injectable()
export class UsageSweep {
  private readonly findDue;
  private readonly claimDue;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly store: AccountStore,
    private readonly drivers: AccountDrivers,
    private readonly reconciled: ReconciledChanges,
    private readonly reasons: PauseReasons,
    private readonly traffic: TrafficRepository,
  ) {
    this.findDue = database.statement<SweptAccount>(
      `SELECT {HostingAccount.id} AS id, {HostingAccount.nodeCode} AS nodeCode FROM {HostingAccount}
       WHERE {HostingAccount.usageDueAt} <= ? AND {HostingAccount.state} NOT IN ('provisioning', 'terminating', 'failed')
       ORDER BY {HostingAccount.usageDueAt}, {HostingAccount.id} LIMIT ${BATCH}`,
    );
    this.claimDue = database.statement(
      `UPDATE {HostingAccount} SET {HostingAccount.usageDueAt} = ? WHERE {HostingAccount.id} = ? AND {HostingAccount.usageDueAt} <= ?`,
    );
  }

  /** Any number of processes may run it at once: each account is measured by one. @returns how many were measured here */
  @Job({ name: 'account-usage', everyMinutes: 5 })
  async run(turn?: JobTurn): Promise<number> {
    const sweep = new AccountSweep('usage');
    for (;;) {
      turn?.signal.throwIfAborted();
      const now = this.clock.now();
      const found = await this.findDue.all(now);
      const claimed: SweptAccount[] = [];
      for (const account of found) {
        const next = new Date(now.getTime() + USAGE_INTERVAL_MS);
        if ((await this.claimDue.run(next, account.id, now)).affected) claimed.push(account);
      }
      await sweep.each(claimed, async ({ id }) => void (await this.measure(id)));
      if (found.length < BATCH) return sweep.count;
    }
  }

  /**
   * Asks the server now, whenever that was done last. Database and traffic are only what a driver with that capability
   * says; from one without, what is known already stays.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_STATE, SITE_MISSING, and what the server or a pause comes to
   */
  async measure(id: number): Promise<HostingAccount> {
    const account = await this.store.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    checkAllowed('measure', account.state);
    const bound = await this.drivers.of(account);
    const result = await bound.sync();
    if (!succeeded(result)) throw driverError(result);
    const { webUsedBytes, databaseUsedBytes } = result.value;
    const { month } = this.traffic;
    const counted = await bound.traffic(month);
    if (counted && !succeeded(counted)) throw driverError(counted);
    const used = {
      webUsedBytes,
      ...(bound.driver.capabilities.has('database') ? { databaseUsedBytes } : {}),
      ...(counted ? { trafficUsedBytes: counted.value, trafficMonth: month } : {}),
      usageMeasuredAt: this.clock.now(),
      // Asked for once: it stays what it is while the site stays on its server.
      databaseUser: account.databaseUser ?? (await bound.databaseUser()),
    };
    // No change of the account: it needs no claim.
    await this.database.repository(HostingAccount).update({ id }, used);
    reportDrift(account, result.value);
    const measured = { ...account, ...used };
    if (isOverQuota(measured) !== account.pauseReasons.includes(PAUSE_REASON.quota)) await this.enforce(id);
    return measured;
  }

  /** Under the claim the row decides: limits and use may have changed since. */
  private async enforce(id: number): Promise<void> {
    await this.reconciled.run(id, 'measure', async (claim) =>
      isOverQuota(claim.account)
        ? this.reasons.add(claim, PAUSE_REASON.quota, 'cron')
        : this.reasons.lift(claim, PAUSE_REASON.quota, 'cron'),
    );
  }
}

/** Somebody changed the site on the server itself: said, not undone, because they may have had a reason. */
function reportDrift(account: HostingAccount, status: SiteStatus): void {
  if (account.claimedUntil !== null || status.suspended === (account.state === 'paused')) return;
  log.warn(
    { account: account.id, node: account.nodeCode, state: account.state, suspended: status.suspended },
    'a site does not stand on its server as it does here',
  );
}

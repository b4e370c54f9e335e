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

/** Interval between measurements, in milliseconds. */
export const USAGE_INTERVAL_MS = 15 * 60_000;

/** Measures and stores the usage of accounts, and pauses those over a quota; when the usage is within the quota again, that pause ends. */
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

  /**
   * May run in several processes at the same time: each account is measured by one.
   *
   * @returns number of accounts measured by this process
   */
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
   * Measures an account immediately. Database and traffic usage are stored only if the driver reports them; otherwise the known values
   * stay.
   *
   * @throws HostingError ACCOUNT_NOT_FOUND, ACCOUNT_STATE, SITE_MISSING; errors of the server or of a pause
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
      // Queried only once: it does not change while the site stays on its server.
      databaseUser: account.databaseUser ?? (await bound.databaseUser()),
    };
    // Usage is not a change of the account, so no claim is needed.
    await this.database.repository(HostingAccount).update({ id }, used);
    reportDrift(account, result.value);
    const measured = { ...account, ...used };
    if (isOverQuota(measured) !== account.pauseReasons.includes(PAUSE_REASON.quota)) await this.enforce(id);
    return measured;
  }

  /** Checks the row again under the claim: limits and usage may have changed since. */
  private async enforce(id: number): Promise<void> {
    await this.reconciled.run(id, 'measure', async (claim) =>
      isOverQuota(claim.account)
        ? this.reasons.add(claim, PAUSE_REASON.quota, 'cron')
        : this.reasons.lift(claim, PAUSE_REASON.quota, 'cron'),
    );
  }
}

/** Logs a site that was changed directly on the server. The change is not undone, because it may be intentional. */
function reportDrift(account: HostingAccount, status: SiteStatus): void {
  if (account.claimedUntil !== null || status.suspended === (account.state === 'paused')) return;
  log.warn(
    { account: account.id, node: account.nodeCode, state: account.state, suspended: status.suspended },
    'a site is in another state on its server than in the panel',
  );
}

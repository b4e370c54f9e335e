import { Inject, Injectable, Optional } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { PAUSE_REASON, PauseReasons, ReconciledChanges } from '../accounts/index.js';
import { isExpired, lastDayOf, type ServiceDays } from '../calendar.js';
import type { HostingAccount } from '../entities/index.js';
import { isPauseDue } from '../expiry-plan.js';

import { AccountSweep, type SweptAccount } from './account-sweep.js';

const BATCH = 100;

/** Notifies the owner of an account that it was paused for expiry. */
export abstract class ExpiryNotices {
  /** Called in the transaction that pauses the account. */
  abstract notifyOfPause(account: HostingAccount): Promise<unknown>;
}

/** Pauses accounts whose last day, grace and hold have passed in the configured time zone. A renewal ends that pause. */
@Injectable()
export class ExpirySweep {
  private readonly find;

  constructor(
    database: Database,
    private readonly clock: ZonedClock,
    private readonly reconciled: ReconciledChanges,
    private readonly reasons: PauseReasons,
    /** Optional, because hosting works without notices. */
    @Optional() @Inject(ExpiryNotices) private readonly notices: ExpiryNotices | null = null,
  ) {
    this.find = database.statement<SweptAccount & ServiceDays & { expiresOn: string }>(
      `SELECT {HostingAccount.id} AS id, {HostingAccount.nodeCode} AS nodeCode, {HostingAccount.expiresOn} AS expiresOn,
         {HostingAccount.graceDays} AS graceDays, {HostingAccount.holdUntil} AS holdUntil
       FROM {HostingAccount}
       WHERE {HostingAccount.expiresOn} >= ? AND {HostingAccount.expiresOn} < ?
         AND ({HostingAccount.holdUntil} IS NULL OR {HostingAccount.holdUntil} < ?)
         AND ({HostingAccount.expiresOn} > ? OR {HostingAccount.id} > ?)
         AND {HostingAccount.state} NOT IN ('provisioning', 'terminating', 'failed')
         AND {HostingAccount.pauseReasons} NOT LIKE '%"${PAUSE_REASON.expiry}"%'
       ORDER BY {HostingAccount.expiresOn}, {HostingAccount.id} LIMIT ${BATCH}`,
    );
  }

  /** May run in several processes at the same time. @returns number of accounts processed without an error */
  @Job({ name: 'account-expiry', everyMinutes: 5 })
  async run(turn?: JobTurn): Promise<number> {
    const today = this.clock.today();
    const sweep = new AccountSweep('expiry');
    let last = { expiresOn: '1970-01-01', id: 0 };
    for (;;) {
      turn?.signal.throwIfAborted();
      const found = await this.find.all(last.expiresOn, today, today, last.expiresOn, last.id);
      const over = found.filter((host) => isExpired(lastDayOf(host), today));
      await sweep.each(over, ({ id }) => this.expire(id));
      if (found.length < BATCH) return sweep.count;
      last = found.at(-1)!;
    }
  }

  /** Checks the day again under the claim: the account may have been renewed since the list was read. */
  private async expire(id: number): Promise<void> {
    await this.reconciled.run(id, 'pause', async (claim) => {
      const today = this.clock.today();
      if (!isPauseDue(claim.account, today)) return claim.account;
      return this.reasons.add(claim, PAUSE_REASON.expiry, 'cron', async (account) => this.notices?.notifyOfPause(account));
    });
  }
}

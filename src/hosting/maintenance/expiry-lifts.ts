import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { Job, type JobTurn } from '../../jobs/index.js';
import { SiteSettings } from '../../site/index.js';
import { AccountGrace, PAUSE_REASON } from '../accounts/index.js';
import { dayAfter, isExpired, lastDayOf, MAX_GRACE_DAYS, type ServiceDays } from '../calendar.js';

import { AccountSweep, type SweptAccount } from './account-sweep.js';

const BATCH = 100;

/**
 * Applies changed settings: hosts without their own grace days get the installation's default, which is also sent to their servers. Hosts
 * paused for expiry that are in service again are resumed, for example after the grace was extended or a clock that was ahead was
 * corrected.
 */
@Injectable()
export class ExpiryLifts {
  private readonly otherGrace;
  private readonly paused;

  constructor(
    database: Database,
    private readonly grace: AccountGrace,
    private readonly site: SiteSettings,
    private readonly clock: ZonedClock,
  ) {
    const columns = '{HostingAccount.id} AS id, {HostingAccount.nodeCode} AS nodeCode';
    const next = `{HostingAccount.id} > ? ORDER BY {HostingAccount.id} LIMIT ${BATCH}`;
    this.otherGrace = database.statement<SweptAccount>(
      `SELECT ${columns} FROM {HostingAccount} WHERE {HostingAccount.ownGraceDays} IS NULL AND {HostingAccount.graceDays} <> ?
       AND {HostingAccount.expiresOn} IS NOT NULL AND {HostingAccount.state} IN ('active', 'paused') AND ${next}`,
    );
    this.paused = database.statement<SweptAccount & ServiceDays>(
      `SELECT ${columns}, {HostingAccount.expiresOn} AS expiresOn, {HostingAccount.graceDays} AS graceDays,
        {HostingAccount.holdUntil} AS holdUntil
       FROM {HostingAccount} WHERE {HostingAccount.state} = 'paused' AND {HostingAccount.pauseReasons} LIKE '%"${PAUSE_REASON.expiry}"%'
       AND {HostingAccount.expiresOn} >= ? AND ${next}`,
    );
  }

  /** May run in several processes at the same time. @returns number of accounts processed without an error */
  @Job({ name: 'expiry-lifts', everyMinutes: 5 })
  async run(turn?: JobTurn): Promise<number> {
    const sweep = new AccountSweep('expiry-lifts');
    const today = this.clock.today();
    const earliest = dayAfter(today, -MAX_GRACE_DAYS);
    await this.each(sweep, (last) => this.otherGrace.all(this.site.current.expiryGraceDays, last), turn);
    const isBack = (host: SweptAccount & ServiceDays): boolean => !isExpired(lastDayOf(host), today);
    await this.each(sweep, (last) => this.paused.all(earliest, last), turn, isBack);
    return sweep.count;
  }

  private async each<Row extends SweptAccount>(
    sweep: AccountSweep,
    next: (last: number) => Promise<Row[]>,
    turn?: JobTurn,
    counts: (row: Row) => boolean = () => true,
  ): Promise<void> {
    for (let last = 0; ;) {
      turn?.signal.throwIfAborted();
      const rows = await next(last);
      await sweep.each(rows.filter(counts), ({ id }) => this.grace.apply(id));
      if (rows.length < BATCH) return;
      last = rows.at(-1)!.id;
    }
  }
}

import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { HostingAccount, SiteTraffic } from '../entities/index.js';

/** Months of history that are shown and kept. */
export const HISTORY_MONTHS = 12;
/** Of traffic, as plans sell it. */
const BYTES_PER_GB = 1024 ** 3;
/** Accounts asked about in one query. */
const BATCH = 200;

/** Traffic of sites by month, in the time zone of the installation. */
@Injectable()
export class TrafficRepository {
  private readonly addToMonth;
  private readonly addToAccount;
  private readonly present;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    this.present = database.statement('SELECT 1 AS found FROM {HostingAccount} WHERE {HostingAccount.id} = ?');
    this.addToMonth = database.statement(
      `INSERT INTO {SiteTraffic} ({SiteTraffic.accountId}, {SiteTraffic.month}, {SiteTraffic.bytes}) VALUES (?, ?, ?)
       ${database.onConflict('zj_id', 'month')} {SiteTraffic.bytes} = {SiteTraffic.bytes} + ?`,
    );
    // What a slow process counted at the end of a month does not bring that month back. Order matters on MySQL, which sees the columns that
    // stand before: the month is the last to change.
    this.addToAccount = database.statement(
      `UPDATE {HostingAccount} SET
         {HostingAccount.trafficUsedBytes} =
         CASE WHEN {HostingAccount.trafficMonth} = ? THEN {HostingAccount.trafficUsedBytes} + ? ELSE ? END,
         {HostingAccount.trafficMonth} = ?
       WHERE {HostingAccount.id} = ? AND {HostingAccount.trafficMonth} <= ?`,
    );
  }

  /** The month that runs, `YYYY-MM`. */
  get month(): string {
    return this.today.slice(0, 7);
  }

  private get today(): string {
    return legacyDay(this.clock.now(), this.config.timezone);
  }

  /**
   * Adds what sites sent in a month: all of it, or nothing where it throws. A site that is gone by now is left out.
   *
   * @param sent bytes by account
   */
  add(month: string, sent: ReadonlyMap<number, number>): Promise<void> {
    return this.database.transaction(async () => {
      // In one order, so that two processes never wait for each other.
      for (const [id, bytes] of [...sent].sort(([one], [other]) => one - other)) {
        if ((await this.present.get(id)) === undefined) continue;
        await this.addToAccount.run(month, bytes, bytes, month, id, month);
        await this.addToMonth.run(id, month, bytes, bytes);
      }
    });
  }

  /** Those of some accounts that have used up what they bought for the month and are not held. */
  async usedUp(accountIds: readonly number[]): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    for (let start = 0; start < accountIds.length; start += BATCH) {
      const rows = await this.database
        .repository(HostingAccount)
        .createQueryBuilder('account')
        .select('account.id', 'id')
        .where({ id: In(accountIds.slice(start, start + BATCH)), trafficQuotaGb: MoreThan(0), trafficMonth: this.month })
        .andWhere('(account.holdUntil IS NULL OR account.holdUntil < :today)', { today: this.today })
        .andWhere(`account.trafficUsedBytes > account.trafficQuotaGb * ${BYTES_PER_GB}`)
        .getRawMany<{ id: number }>();
      for (const { id } of rows) found.add(Number(id));
    }
    return found;
  }

  /** Bytes of the last months an account sent anything in, by month. */
  async history(accountId: number): Promise<Record<string, number>> {
    const rows = await this.database.repository(SiteTraffic).find({ where: { accountId }, order: { month: 'DESC' }, take: HISTORY_MONTHS });
    return Object.fromEntries(rows.map(({ month, bytes }) => [month, bytes]));
  }
}

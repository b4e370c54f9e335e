import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';

import { ZonedClock } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { HostingAccount, SiteTraffic } from '../entities/index.js';

/** Months of history that are shown and kept. */
export const HISTORY_MONTHS = 12;
/** Unit of traffic in plans. */
const BYTES_PER_GB = 1024 ** 3;
/** Accounts per query. */
const BATCH = 200;

/** Traffic of sites by month, in the time zone of the installation. */
@Injectable()
export class TrafficRepository {
  private readonly addToMonth;
  private readonly addToAccount;
  private readonly present;

  constructor(
    private readonly database: Database,
    private readonly clock: ZonedClock,
  ) {
    this.present = database.statement('SELECT 1 AS found FROM {HostingAccount} WHERE {HostingAccount.id} = ?');
    this.addToMonth = database.statement(
      `INSERT INTO {SiteTraffic} ({SiteTraffic.accountId}, {SiteTraffic.month}, {SiteTraffic.bytes}) VALUES (?, ?, ?)
       ${database.onConflict('zj_id', 'month')} {SiteTraffic.bytes} = {SiteTraffic.bytes} + ?`,
    );
    // A slow process must not reset the row to the previous month. The month is set last, because MySQL evaluates assignments from left to
    // right.
    this.addToAccount = database.statement(
      `UPDATE {HostingAccount} SET
         {HostingAccount.trafficUsedBytes} =
         CASE WHEN {HostingAccount.trafficMonth} = ? THEN {HostingAccount.trafficUsedBytes} + ? ELSE ? END,
         {HostingAccount.trafficMonth} = ?
       WHERE {HostingAccount.id} = ? AND {HostingAccount.trafficMonth} <= ?`,
    );
  }

  /** The current month, `YYYY-MM`. */
  get month(): string {
    return this.clock.today().slice(0, 7);
  }

  /**
   * Adds the traffic of a month: all of it, or nothing if it throws. Deleted sites are skipped.
   *
   * @param sent bytes by account
   */
  add(month: string, sent: ReadonlyMap<number, number>): Promise<void> {
    return this.database.transaction(async () => {
      // Always in the same order, to avoid deadlocks between processes.
      for (const [id, bytes] of [...sent].sort(([one], [other]) => one - other)) {
        if ((await this.present.get(id)) === undefined) continue;
        await this.addToAccount.run(month, bytes, bytes, month, id, month);
        await this.addToMonth.run(id, month, bytes, bytes);
      }
    });
  }

  /** Returns the accounts that have used up this month's traffic and are not on hold. */
  async usedUp(accountIds: readonly number[]): Promise<ReadonlySet<number>> {
    const found = new Set<number>();
    for (let start = 0; start < accountIds.length; start += BATCH) {
      const rows = await this.database
        .repository(HostingAccount)
        .createQueryBuilder('account')
        .select('account.id', 'id')
        .where({ id: In(accountIds.slice(start, start + BATCH)), trafficQuotaGb: MoreThan(0), trafficMonth: this.month })
        .andWhere('(account.holdUntil IS NULL OR account.holdUntil < :today)', { today: this.clock.today() })
        .andWhere(`account.trafficUsedBytes > account.trafficQuotaGb * ${BYTES_PER_GB}`)
        .getRawMany<{ id: number }>();
      for (const { id } of rows) found.add(Number(id));
    }
    return found;
  }

  /** Returns bytes by month for the last months in which an account sent anything. */
  async history(accountId: number): Promise<Record<string, number>> {
    const rows = await this.database.repository(SiteTraffic).find({ where: { accountId }, order: { month: 'DESC' }, take: HISTORY_MONTHS });
    return Object.fromEntries(rows.map(({ month, bytes }) => [month, bytes]));
  }
}

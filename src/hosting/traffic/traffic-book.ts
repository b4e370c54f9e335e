import { Injectable } from '@nestjs/common';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { SiteTraffic } from '../entities/index.js';

/** Months of history that are shown and kept. */
export const HISTORY_MONTHS = 12;

/** What sites sent, by the month in the zone of the installation. */
@Injectable()
export class TrafficBook {
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
    // What a slow process counted at the end of a month does not bring that month back. Order matters on MySQL, which sees the columns that stand before: the month is the last to change.
    this.addToAccount = database.statement(
      `UPDATE {HostingAccount} SET
         {HostingAccount.trafficUsedBytes} = CASE WHEN {HostingAccount.trafficMonth} = ? THEN {HostingAccount.trafficUsedBytes} + ? ELSE ? END,
         {HostingAccount.trafficMonth} = ?
       WHERE {HostingAccount.id} = ? AND {HostingAccount.trafficMonth} <= ?`,
    );
  }

  /** The month that runs, `YYYY-MM`. */
  get month(): string {
    return legacyDay(this.clock.now(), this.config.timezone).slice(0, 7);
  }

  /** Adds what sites sent in a month: all of it, or nothing where it throws. A site that is gone by now is left out. @param sent bytes by account */
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

  /** Bytes an account sent in a month. */
  async of(accountId: number, month: string): Promise<number> {
    return (await this.database.repository(SiteTraffic).findOneBy({ accountId, month }))?.bytes ?? 0;
  }

  /** Bytes of the last months an account sent anything in, by month. */
  async history(accountId: number): Promise<Record<string, number>> {
    const rows = await this.database.repository(SiteTraffic).find({ where: { accountId }, order: { month: 'DESC' }, take: HISTORY_MONTHS });
    return Object.fromEntries(rows.map(({ month, bytes }) => [month, bytes]));
  }
}

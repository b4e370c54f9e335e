import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import type { DriverAccount, DriverResult, TrafficPort } from '../driver/index.js';

/** Traffic of sites of the built-in server, which counts and stores it itself. */
@Injectable()
export class EmbeddedTraffic implements TrafficPort {
  readonly isCountedHere = true;
  private readonly find;

  constructor(database: Database) {
    this.find = database.statement<{ bytes: number | string }>(
      `SELECT traffic.{SiteTraffic.bytes} AS bytes FROM {HostingAccount} account
       JOIN {SiteTraffic} traffic ON traffic.{SiteTraffic.accountId} = account.{HostingAccount.id} AND traffic.{SiteTraffic.month} = ?
       WHERE account.{HostingAccount.userKey} = ? AND account.{HostingAccount.siteName} = ?`,
    );
  }

  async ofMonth({ username, siteName }: DriverAccount, month: string): Promise<DriverResult<number>> {
    const row = await this.find.get(month, username.toLowerCase(), siteName);
    return { outcome: 'ok', value: Number(row?.bytes ?? 0) };
  }
}

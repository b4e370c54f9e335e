import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { BYTES_PER_GB, BYTES_PER_MB, PAUSE_REASON } from '../accounts/index.js';

/** What a site may use up. */
export type QuotaKind = 'web' | 'database' | 'traffic';

const OVER: Record<QuotaKind, string> = {
  web: `{HostingAccount.webQuotaMb} > 0 AND {HostingAccount.webUsedBytes} > {HostingAccount.webQuotaMb} * ${BYTES_PER_MB}`,
  database: `{HostingAccount.databaseQuotaMb} > 0 AND {HostingAccount.databaseUsedBytes} > {HostingAccount.databaseQuotaMb} * ${BYTES_PER_MB}`,
  traffic: `{HostingAccount.trafficQuotaGb} > 0 AND {HostingAccount.trafficUsedBytes} > {HostingAccount.trafficQuotaGb} * ${BYTES_PER_GB}`,
};

/** Who is paused for using more than was bought. */
@Injectable()
export class QuotaPauses {
  constructor(private readonly database: Database) {}

  /** Names of the paused sites that use more than they may of that kind, in the order of their ids. */
  async names(kind: QuotaKind): Promise<string[]> {
    const rows = await this.database
      .statement<{ username: string }>(
        `SELECT {HostingAccount.username} AS username FROM {HostingAccount}
         WHERE {HostingAccount.state} = 'paused' AND {HostingAccount.pauseReasons} LIKE '%"${PAUSE_REASON.quota}"%' AND ${OVER[kind]}
         ORDER BY {HostingAccount.id}`,
      )
      .all();
    return rows.map(({ username }) => username);
  }
}

import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { PAUSE_REASON, type QuotaKind, soldInSql } from '../accounts/index.js';

/** Reads which hosts are paused for being over a quota. */
@Injectable()
export class QuotaPauses {
  constructor(private readonly database: Database) {}

  /** Names of the paused sites that use more than they may of that kind, in the order of their ids. */
  async names(kind: QuotaKind): Promise<string[]> {
    const { limit, used, most } = soldInSql(kind);
    const rows = await this.database
      .statement<{ username: string }>(
        `SELECT account.{HostingAccount.username} AS username FROM {HostingAccount} account
         WHERE account.{HostingAccount.state} = 'paused' AND account.{HostingAccount.pauseReasons} LIKE '%"${PAUSE_REASON.quota}"%'
           AND ${limit} > 0 AND ${used} > ${most}
         ORDER BY account.{HostingAccount.id}`,
      )
      .all();
    return rows.map(({ username }) => username);
  }
}

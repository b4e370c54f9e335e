import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { PAUSE_REASON, type QuotaKind, soldInSql } from '../accounts/index.js';

/** Reads which hosts are paused for exceeding a quota. */
@Injectable()
export class QuotaPauses {
  constructor(private readonly database: Database) {}

  /** Returns the names of paused hosts that exceed the given quota, ordered by id. */
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

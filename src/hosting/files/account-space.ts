import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import type { SpaceMeter } from '../driver/index.js';

/** Bytes per MB of a plan. */
const MB = 1_048_576;

/**
 * Tracks the web space accounts use while files are written. Each step is one conditional update of the account's row, so no account
 * exceeds its quota, even with parallel work in several processes. `UsageSweep` corrects the count after a crash.
 */
@Injectable()
export class AccountSpace {
  private readonly takeBytes;
  private readonly giveBytes;
  private readonly fitting;

  constructor(database: Database) {
    const fits = '({HostingAccount.webQuotaMb} = 0 OR {HostingAccount.webUsedBytes} + ? <= {HostingAccount.webQuotaMb} * ' + MB + ')';
    this.takeBytes = database.statement(
      `UPDATE {HostingAccount} SET {HostingAccount.webUsedBytes} = {HostingAccount.webUsedBytes} + ? WHERE {HostingAccount.id} = ?
        AND ${fits}`,
    );
    this.giveBytes = database.statement(
      `UPDATE {HostingAccount} SET {HostingAccount.webUsedBytes} =
        CASE WHEN {HostingAccount.webUsedBytes} > ? THEN {HostingAccount.webUsedBytes} - ? ELSE 0 END WHERE {HostingAccount.id} = ?`,
    );
    this.fitting = database.statement<{ id: number }>(
      `SELECT {HostingAccount.id} AS id FROM {HostingAccount} WHERE {HostingAccount.id} = ? AND ${fits}`,
    );
  }

  /** Returns the meter of one account. */
  of(accountId: number): SpaceMeter {
    return {
      take: async (bytes) => bytes === 0 || (await this.takeBytes.run(bytes, accountId, bytes)).affected > 0,
      giveBack: async (bytes) => {
        if (bytes !== 0) await this.giveBytes.run(bytes, bytes, accountId);
      },
      fits: async (bytes) => (await this.fitting.get(accountId, bytes)) !== undefined,
    };
  }
}

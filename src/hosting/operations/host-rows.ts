import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { versionOf } from '../../operations/index.js';
import { AccountStore } from '../accounts/index.js';
import { DriverRegistry } from '../driver/index.js';
import { type HostingAccount, HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { shownStatus } from '../shown-status.js';
import { SitesAddress } from '../sites-address.js';
import { fieldsOf, hostForm, hostRow } from '../wire/index.js';

/** Single hosts as rows of the wire. */
@Injectable()
export class HostRows {
  constructor(
    private readonly store: AccountStore,
    private readonly sites: SitesAddress,
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly drivers: DriverRegistry,
    private readonly clock: Clock,
  ) {}

  /** Rows of hosts that were read. */
  async rowsOf(accounts: readonly HostingAccount[]): Promise<Record<string, string>[]> {
    const codes = [...new Set(accounts.map(({ nodeCode }) => nodeCode))];
    const nodes = codes.length > 0 ? await this.database.repository(HostingNode).findBy({ code: In(codes) }) : [];
    const unenforced = new Map(nodes.map((node) => [node.code, this.drivers.unenforced(node)]));
    const today = legacyDay(this.clock.now(), this.config.timezone);
    return accounts.map((account) => ({
      ...hostRow(account, this.sites.urlOf(account.username), this.config.timezone),
      status: shownStatus(account, today),
      // Limits its server keeps and does not hold it to.
      bzx: fieldsOf(unenforced.get(account.nodeCode) ?? []),
      row_version: versionOf(hostForm(account)),
    }));
  }

  /** The row of a host in whatever state it is. @throws HostingError ACCOUNT_NOT_FOUND */
  async row(id: number): Promise<Record<string, string>> {
    const account = await this.store.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return (await this.rowsOf([account]))[0]!;
  }
}

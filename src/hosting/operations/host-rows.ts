import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { AccountStore } from '../accounts/account-store.js';
import { HostingError } from '../hosting-errors.js';
import { SitesAddress } from '../sites/sites-address.js';
import { hostRow } from '../wire/host-row.js';

/** Single hosts as rows of the wire. */
@Injectable()
export class HostRows {
  constructor(
    private readonly store: AccountStore,
    private readonly sites: SitesAddress,
    private readonly config: AppConfig,
  ) {}

  /** The row of a host in whatever state it is. @throws HostingError ACCOUNT_NOT_FOUND */
  async row(id: number): Promise<Record<string, string>> {
    const account = await this.store.find(id);
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return hostRow(account, this.sites.urlOf(account.username), this.config.timezone);
  }
}

import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import { Done, NoInput, Operation } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AccountStore } from '../accounts/account-store.js';
import { HostingError } from '../hosting-errors.js';
import { SitesAddress } from '../sites/sites-address.js';
import { hostRow } from '../wire/host-row.js';

/** A user's operations on the own account. */
@Injectable()
export class UserHostOperations {
  constructor(
    private readonly store: AccountStore,
    private readonly sites: SitesAddress,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'user', gn: 'zjxx', auth: 'user', input: NoInput, audit: null })
  async ownHost(_input: NoInput, ctx: CallContext): Promise<Done> {
    const account = ctx.user && (await this.store.find(ctx.user.id));
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return new Done('hosting.read', hostRow(account, this.sites.urlOf(account.username), this.config.timezone));
  }
}

import { Injectable } from '@nestjs/common';

import { legacyTime } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { SuccessReply, NoInput, Operation } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { AccountStore } from '../accounts/index.js';
import { UsageRefresh } from '../maintenance/index.js';

import { HostRows } from './host-rows.js';
import { ownAccount } from './own-account.js';

/** Operations of users on their own account; none takes an id. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class UserHostOperations {
  constructor(
    private readonly store: AccountStore,
    private readonly usage: UsageRefresh,
    private readonly rows: HostRows,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'user', gn: 'zjxx', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async ownHost(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return new SuccessReply('hosting.read', await this.rows.row((await ownAccount(this.store, ctx)).id));
  }

  /** Measures the own site immediately; limited to once a minute. */
  @Operation({ side: 'user', gn: 'sxsyxx', auth: 'user', input: NoInput, audit: null, rate: 'expensive' })
  async refreshUsage(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = await ownAccount(this.store, ctx);
    const { usageMeasuredAt } = await this.usage.refresh(id);
    const { hxa, hxb, llmax } = await this.rows.row(id);
    const measured = legacyTime(usageMeasuredAt!, this.config.timezone);
    return new SuccessReply('hosting.usage_refreshed', { hxa, hxb, llmax, measured });
  }
}

import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, sanitizeNotice, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { SuccessReply, NoInput, Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { AccountStore } from '../accounts/index.js';
import { type HostingAccount, HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { UsageRefresh } from '../maintenance/index.js';
import { TrafficBook } from '../traffic/index.js';
import { panelData } from '../wire/index.js';

import { HostRows } from './host-rows.js';

/** A user's operations on the own account: none of them takes an id. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class UserHostOperations {
  constructor(
    private readonly store: AccountStore,
    private readonly usage: UsageRefresh,
    private readonly rows: HostRows,
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly traffic: TrafficBook,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'user', gn: 'zjxx', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async ownHost(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return new SuccessReply('hosting.read', await this.rows.row((await this.ownAccount(ctx)).id));
  }

  /** The dashboard's data as older single-page themes read it: `msg` is the data, not a text. */
  @Operation({ side: 'user', gn: 'indexconf', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async dashboard(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const account = await this.ownAccount(ctx);
    const node = await this.database.repository(HostingNode).findOneBy({ code: account.nodeCode });
    const msg = panelData(account, node, sanitizeNotice(this.settings.current.notice ?? ''), await this.traffic.history(account.id));
    return new RawReply({ success: true, qk: 1, code: translate(localeOf(ctx.locale), 'hosting.panel_data'), msg });
  }

  /** Measures the own site now; who asks again within a minute is told how long to wait. */
  @Operation({ side: 'user', gn: 'sxsyxx', auth: 'user', input: NoInput, audit: null, rate: 'expensive' })
  async refreshUsage(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    const { id } = await this.ownAccount(ctx);
    const { usageMeasuredAt } = await this.usage.refresh(id);
    const { hxa, hxb, llmax } = await this.rows.row(id);
    const measured = legacyTime(usageMeasuredAt!, this.config.timezone);
    return new SuccessReply('hosting.usage_refreshed', { hxa, hxb, llmax, measured });
  }

  private async ownAccount(ctx: CallContext): Promise<HostingAccount> {
    const account = ctx.user && (await this.store.find(ctx.user.id));
    if (!account) throw new HostingError('ACCOUNT_NOT_FOUND');
    return account;
  }
}

import { Injectable } from '@nestjs/common';

import { localeOf, sanitizeNotice, translate } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { NoInput, Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { AccountStore } from '../accounts/index.js';
import { HostingNode } from '../entities/index.js';
import { TrafficBook } from '../traffic/index.js';
import { panelData } from '../wire/index.js';

import { ownAccount } from './own-account.js';

/** What older single-page themes show of a host. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class PanelDataOperations {
  constructor(
    private readonly store: AccountStore,
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly traffic: TrafficBook,
  ) {}

  /** The dashboard's data as older single-page themes read it: `msg` is the data, not a text. */
  @Operation({ side: 'user', gn: 'indexconf', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async dashboard(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const account = await ownAccount(this.store, ctx);
    const node = await this.database.repository(HostingNode).findOneBy({ code: account.nodeCode });
    const msg = panelData(account, node, sanitizeNotice(this.settings.current.notice ?? ''), await this.traffic.history(account.id));
    return new RawReply({ success: true, qk: 1, code: translate(localeOf(ctx.locale), 'hosting.panel_data'), msg });
  }
}

import { Injectable } from '@nestjs/common';

import { localeOf, sanitizeNotice, translate } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { NoInput, Operation, RawReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { HostingNode } from '../entities/index.js';
import { SiteAccess } from '../site-tools/index.js';
import { TrafficRepository } from '../traffic/index.js';
import { panelData } from '../wire/index.js';

import { servedSite } from './served-site.js';

/** Data of a host for older single-page themes. Source: docs/panel-api.md "Hosts". */
@Injectable()
export class PanelDataOperations {
  constructor(
    private readonly sites: SiteAccess,
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly traffic: TrafficRepository,
  ) {}

  /** Returns the dashboard's data in the format of older single-page themes: `msg` is the data, not a text. */
  @Operation({ side: 'user', gn: 'indexconf', auth: 'user', input: NoInput, audit: null, rate: 'read' })
  async dashboard(_input: NoInput, ctx: CallContext): Promise<RawReply> {
    const site = await this.sites.ofOwner(ctx, 'read');
    const { account } = site;
    const node = await this.database.repository(HostingNode).findOneByOrFail({ code: account.nodeCode });
    const [served, history] = await Promise.all([servedSite(site, node.ftpAddress || node.address), this.traffic.history(account.id)]);
    const msg = panelData(account, served, sanitizeNotice(this.settings.current.notice ?? ''), history);
    return new RawReply({ success: true, qk: 1, code: translate(localeOf(ctx.locale), 'hosting.panel_data'), msg });
  }
}

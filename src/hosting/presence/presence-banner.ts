import { Injectable, type OnModuleInit } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { timeInSentence, translate } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { type BannerReader, type PageBanner, PageBanners } from '../../theme/index.js';
import { HostingNode } from '../entities/index.js';

/** Maximum servers named. */
const NAMED = 3;

/** Shows on every page that a server is unreachable: to administrators with its name, to the owner of a host with the consequences. */
@Injectable()
export class PresenceBanner implements OnModuleInit {
  private readonly rows;
  /** Both statements run for every page. */
  private readonly away;
  private readonly ofHost;

  constructor(
    private readonly banners: PageBanners,
    private readonly config: AppConfig,
    database: Database,
  ) {
    this.rows = database.entityRows(HostingNode, ['id', 'code', 'awaySince']);
    const away = `SELECT ${this.rows.columns} FROM {HostingNode} WHERE {HostingNode.awaySince} IS NOT NULL`;
    this.away = database.statement(`${away} ORDER BY {HostingNode.id} LIMIT 50`);
    this.ofHost = database.statement(
      `${away} AND {HostingNode.code} = (SELECT {HostingAccount.nodeCode} FROM {HostingAccount} WHERE {HostingAccount.id} = ?)`,
    );
  }

  onModuleInit(): void {
    this.banners.add((reader) => (reader.side === 'admin' ? this.ofServers(reader) : this.ofSite(reader)));
  }

  private async ofServers({ call, locale }: BannerReader): Promise<PageBanner[]> {
    const { servers } = accessOf(call.admin);
    const away = (await this.away.all()).map((row) => this.rows.read(row)).filter(({ id }) => servers === null || servers.includes(id));
    if (away.length === 0) return [];
    const names = `${away
      .slice(0, NAMED)
      .map(({ code, awaySince }) => `${code} (${this.time(awaySince!)})`)
      .join(', ')}${away.length > NAMED ? ' …' : ''}`;
    const action = { label: translate(locale, 'hosting.server_banner_open'), url: '/admin/servers' };
    return [{ id: 'server-away', level: 'danger', text: translate(locale, 'hosting.server_banner', { names }), action }];
  }

  private async ofSite({ account, locale }: BannerReader): Promise<PageBanner[]> {
    const row = await this.ofHost.get(account.id);
    if (!row) return [];
    const since = this.time(this.rows.read(row).awaySince!);
    return [{ id: 'server-away', level: 'warning', text: translate(locale, 'hosting.server_banner_owner', { since }) }];
  }

  private time(since: Date): string {
    return timeInSentence(since, this.config.timezone);
  }
}

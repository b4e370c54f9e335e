import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { Database } from '../../database/index.js';
import { type BannerReader, type PageBanner, PageBanners } from '../../theme/index.js';

/** Informs owners on every page that their site is being moved to another server, and when it is stopped for that. */
@Injectable()
export class MoveBanner implements OnModuleInit {
  private readonly underWay;

  constructor(
    private readonly banners: PageBanners,
    database: Database,
  ) {
    this.underWay = database.statement<{ state: string }>('SELECT {SiteMove.state} AS state FROM {SiteMove} WHERE {SiteMove.busy} = ?');
  }

  onModuleInit(): void {
    this.banners.add((reader) => (reader.side === 'admin' ? Promise.resolve([]) : this.ofSite(reader)));
  }

  private async ofSite({ account, locale }: BannerReader): Promise<PageBanner[]> {
    const row = await this.underWay.get(account.id);
    if (!row || row.state === 'undoing') return [];
    const isStill = row.state !== 'copying';
    const text = translate(locale, isStill ? 'moves.banner_still' : 'moves.banner_copying');
    return [{ id: 'site-move', level: isStill ? 'warning' : 'info', text }];
  }
}

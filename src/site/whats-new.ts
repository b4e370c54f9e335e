import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../common/index.js';
import { Database } from '../database/index.js';
import { API_VERSION } from '../sdk/index.js';
import { PageBanners } from '../theme/index.js';

/** The version up to which each administrator has seen the changelog. */
@Injectable()
export class SeenVersions {
  private readonly seen;
  private readonly see;

  constructor(database: Database) {
    this.seen = database.statement<{ version: string }>(
      'SELECT {Administrator.seenVersion} AS version FROM {Administrator} WHERE {Administrator.id} = ?',
    );
    this.see = database.statement(
      'UPDATE {Administrator} SET {Administrator.seenVersion} = ? WHERE {Administrator.id} = ? AND {Administrator.seenVersion} <> ?',
    );
  }

  /** Returns the version; empty if none was seen. */
  async of(administrator: number): Promise<string> {
    return (await this.seen.get(administrator))?.version ?? '';
  }

  /** Marks the current version as seen. */
  async mark(administrator: number): Promise<void> {
    await this.see.run(API_VERSION, administrator, API_VERSION);
  }
}

/** Shows a banner on every page until the administrator has seen the changes of the current version. */
@Injectable()
export class WhatsNewBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly versions: SeenVersions,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, call, locale }) => {
      if (side !== 'admin' || call.path === '/admin/news' || (await this.versions.of(account.id)) === API_VERSION) return [];
      const action = { label: translate(locale, 'site.news_look'), url: '/admin/news' };
      return [{ id: 'news', level: 'info' as const, text: translate(locale, 'site.news', { version: API_VERSION }), action }];
    });
  }
}

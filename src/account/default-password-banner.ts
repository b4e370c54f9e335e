import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../common/index.js';
import { Database } from '../database/index.js';
import { PageBanners } from '../theme/index.js';

/** Warns an administrator with the published default password on every page. */
@Injectable()
export class DefaultPasswordBanner implements OnModuleInit {
  /** Queried for every page. */
  private readonly withDefault;

  constructor(
    private readonly banners: PageBanners,
    database: Database,
  ) {
    this.withDefault = database.statement(
      'SELECT 1 AS found FROM {Administrator} WHERE {Administrator.id} = ? AND {Administrator.hasDefaultPassword} = ?',
    );
  }

  onModuleInit(): void {
    this.banners.add(async ({ side, account, locale }) => {
      if (side !== 'admin' || !(await this.withDefault.get(account.id, true))) return [];
      return [
        {
          id: 'default-password',
          level: 'danger',
          text: translate(locale, 'account.banner_default_password'),
          action: { label: translate(locale, 'account.banner_change_password'), url: '/admin/settings?tab=account' },
        },
      ];
    });
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Administrators } from '../auth/index.js';
import { translate } from '../common/index.js';
import { PageBanners } from '../theme/index.js';
import './texts.js';

/** Tells an administrator on every page that his password is the one everybody knows. */
@Injectable()
export class DefaultPasswordBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly administrators: Administrators,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, locale }) => {
      if (side !== 'admin' || !(await this.administrators.hasDefaultPassword(account.id))) return [];
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

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../common/index.js';
import { Quiet } from '../jobs/index.js';
import { PageBanners } from '../theme/index.js';
import './texts.js';

/** Says on every page of the admin side that a restored installation does nothing by itself, and leads to where it is let go. */
@Injectable()
export class RestoredBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly quiet: Quiet,
  ) {}

  onModuleInit(): void {
    this.banners.add(({ side, call, locale }) => {
      if (side !== 'admin' || !this.quiet.active || call.path === '/admin/restored') return Promise.resolve([]);
      const action = { label: translate(locale, 'backup.banner_look'), url: '/admin/restored' };
      return Promise.resolve([{ id: 'restored', level: 'warning' as const, text: translate(locale, 'backup.banner'), action }]);
    });
  }
}

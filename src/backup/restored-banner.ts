import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../common/index.js';
import { Quiet } from '../jobs/index.js';
import { PageBanners } from '../theme/index.js';

import { RestoreWork } from './restore-work.js';

/**
 * Shows a banner on admin pages while a restored installation is held, or while a restore is pending for the next start, with a link to the
 * page for it.
 */
@Injectable()
export class RestoredBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly quiet: Quiet,
    private readonly work: RestoreWork,
  ) {}

  onModuleInit(): void {
    this.banners.add(({ side, call, locale }) => {
      if (side !== 'admin') return Promise.resolve([]);
      if (this.work.prepared.isReady && !call.path.startsWith('/admin/backup')) {
        const action = { label: translate(locale, 'backup.ready_look'), url: '/admin/backups' };
        return Promise.resolve([
          { id: 'restore-ready', level: 'warning' as const, text: translate(locale, 'backup.ready_banner'), action },
        ]);
      }
      if (!this.quiet.active || call.path === '/admin/restored') return Promise.resolve([]);
      const action = { label: translate(locale, 'backup.banner_look'), url: '/admin/restored' };
      return Promise.resolve([{ id: 'restored', level: 'warning' as const, text: translate(locale, 'backup.banner'), action }]);
    });
  }
}

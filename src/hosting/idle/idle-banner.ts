import { Injectable, type OnModuleInit } from '@nestjs/common';

import { translate } from '../../common/index.js';
import { PageBanners } from '../../theme/index.js';
import { PAUSE_REASON } from '../accounts/index.js';

import { IdleRepository } from './idle-repository.js';

/** Shows the owner of an unused host the announced action, with a button to confirm that the host is needed. */
@Injectable()
export class IdleBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly repository: IdleRepository,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, locale }) => {
      const host = side === 'user' ? await this.repository.find(account.id) : null;
      const stopped = host?.pauseReasons.includes(PAUSE_REASON.idle) ?? false;
      const announced = host?.idle?.announcedAt ? host.idle : null;
      if (!stopped && !announced) return [];
      const text = announced
        ? translate(locale, `hosting.idle_banner_${announced.action}`, { day: announced.dueOn! })
        : translate(locale, 'hosting.idle_banner_stopped');
      const label = translate(locale, 'hosting.idle_keep');
      return [
        {
          id: 'idle-host',
          level: stopped || announced?.action === 'del' ? 'danger' : 'warning',
          text,
          action: { label, operation: 'xzbl' },
        },
      ];
    });
  }
}

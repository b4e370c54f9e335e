import './texts.js';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Clock, legacyDay, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { HostingService, lastDayOf } from '../hosting/index.js';
import { PageBanners } from '../theme/index.js';

import { RenewalOffers } from './renewal-offers.js';

const PAGE = '/user/renew';

/** Leads the owner of a host whose time is over to where he renews it himself. */
@Injectable()
export class RenewalBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly hosting: HostingService,
    private readonly offers: RenewalOffers,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, call, locale }) => {
      const host = side === 'user' && call.path !== PAGE ? await this.hosting.get(account.id) : null;
      const day = host && lastDayOf(host);
      if (!host || !day || day >= legacyDay(this.clock.now(), this.config.timezone)) return [];
      if ((await this.offers.of(host)).length === 0) return [];
      return [
        {
          id: 'renew-host',
          level: 'info',
          text: translate(locale, 'renewal.banner'),
          action: { label: translate(locale, 'renewal.banner_link'), url: PAGE },
        },
      ];
    });
  }
}

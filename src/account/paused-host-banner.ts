import './texts.js';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { OPEN_PAUSES } from '../auth/index.js';
import { Clock, legacyDay, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { HostingService, lastDayOf, PAUSE_REASON } from '../hosting/index.js';
import { OrderList, payPagePath } from '../payment/index.js';
import { RenewalOffers } from '../renewal/index.js';
import { SiteSettings } from '../site/index.js';
import { PageBanners } from '../theme/index.js';

/** Where an owner renews his host. */
const RENEW = '/user/renew';

/** Tells the owner of a host that stands still why, since when, and what to do next, on every page. */
@Injectable()
export class PausedHostBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly hosting: HostingService,
    private readonly orders: OrderList,
    private readonly offers: RenewalOffers,
    private readonly site: SiteSettings,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, call, locale }) => {
      const host = side === 'user' ? await this.hosting.get(account.id) : null;
      if (!host) return [];
      const day = lastDayOf(host);
      const isExpired = day !== null && day < legacyDay(this.clock.now(), this.config.timezone);
      if (!isExpired && !host.pauseReasons.some((reason) => reason !== PAUSE_REASON.idle && OPEN_PAUSES.includes(reason))) return [];
      const { total: unpaid, orders } = await this.orders.page({
        accountId: account.id,
        qk: 'unpaid',
        page: 1,
        limit: 1,
        sortOrder: 'desc',
      });
      const what = isExpired ? translate(locale, 'account.host_expired', { day }) : translate(locale, 'account.host_over_quota');
      const canRenew = isExpired && (await this.offers.of(host)).length > 0;
      const next = canRenew ? translate(locale, 'account.host_renew_here') : this.nextStep(isExpired ? 'renew' : 'grow', locale);
      return [
        {
          id: 'host-paused',
          level: 'danger',
          text: [what, next, ...ordersText(unpaid, locale)].join(locale === 'en' ? ' ' : ''),
          action:
            unpaid === 1
              ? { label: translate(locale, 'account.banner_pay'), url: payPagePath(orders[0]!) }
              : unpaid === 0 && canRenew && call.path !== RENEW
                ? { label: translate(locale, 'account.banner_renew'), url: RENEW }
                : { label: translate(locale, 'account.banner_my_orders'), url: '/user/orders' },
        },
      ];
    });
  }

  private nextStep(wish: 'renew' | 'grow', locale: Locale): string {
    const { contact } = this.site.current;
    return contact ? translate(locale, `account.host_${wish}`, { contact }) : translate(locale, `account.host_${wish}_no_contact`);
  }
}

/** One order is a click away by the banner's button; several are on their page. */
function ordersText(unpaid: number, locale: Locale): string[] {
  if (unpaid === 0) return [];
  return [unpaid === 1 ? translate(locale, 'account.host_open_order') : translate(locale, 'account.host_open_orders', { n: unpaid })];
}

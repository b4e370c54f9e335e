import { Injectable, type OnModuleInit } from '@nestjs/common';

import { OPEN_PAUSES } from '../auth/index.js';
import { translate, type Locale } from '../common/index.js';
import { ExpiryForecast, type HostEnd, HostingService, PAUSE_REASON } from '../hosting/index.js';
import { OrderList, payPagePath } from '../payment/index.js';
import { RenewalOffers } from '../renewal/index.js';
import { SiteSettings } from '../site/index.js';
import { PageBanners } from '../theme/index.js';

/** Page where an owner renews the host. */
const RENEW = '/user/renew';

/** Tells the owner of an expired or suspended host on every page why and since when, what happens next, and what to do. */
@Injectable()
export class PausedHostBanner implements OnModuleInit {
  constructor(
    private readonly banners: PageBanners,
    private readonly hosting: HostingService,
    private readonly orders: OrderList,
    private readonly offers: RenewalOffers,
    private readonly site: SiteSettings,
    private readonly forecast: ExpiryForecast,
  ) {}

  onModuleInit(): void {
    this.banners.add(async ({ side, account, call, locale }) => {
      const host = side === 'user' ? await this.hosting.get(account.id) : null;
      if (!host) return [];
      const end = await this.forecast.endOf(host.id);
      const isOver = host.pauseReasons.some((reason) => reason !== PAUSE_REASON.idle && OPEN_PAUSES.includes(reason));
      if (!end && !isOver) return [];
      const { total: unpaid, orders } = await this.orders.page({
        accountId: account.id,
        qk: 'unpaid',
        page: 1,
        limit: 1,
        sortOrder: 'desc',
      });
      const canRenew = end !== null && (await this.offers.of(host)).length > 0;
      const next = canRenew ? translate(locale, 'account.host_renew_here') : this.nextStep(end ? 'renew' : 'grow', locale);
      const what = end ? endText(end, locale) : [translate(locale, 'account.host_over_quota')];
      return [
        {
          id: 'host-paused',
          level: end?.runsUntil ? 'warning' : 'danger',
          text: [...what, next, ...ordersText(unpaid, locale)].join(locale === 'en' ? ' ' : ''),
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

/** A single order is linked by the banner's button; several are listed on their page. */
function ordersText(unpaid: number, locale: Locale): string[] {
  if (unpaid === 0) return [];
  return [unpaid === 1 ? translate(locale, 'account.host_open_order') : translate(locale, 'account.host_open_orders', { n: unpaid })];
}

/** Returns what happened, what happens next, and that the owner can still download the files. */
function endText({ expiredOn: day, runsUntil, deletesOn }: HostEnd, locale: Locale): string[] {
  if (runsUntil) return [translate(locale, 'account.host_in_grace', { day, until: runsUntil })];
  const fate = deletesOn ? [translate(locale, 'account.host_deleted_on', { day: deletesOn })] : [];
  return [translate(locale, 'account.host_expired', { day }), ...fate, translate(locale, 'account.host_fetch')];
}

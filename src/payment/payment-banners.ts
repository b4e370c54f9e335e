import { Injectable, Optional, type OnModuleInit } from '@nestjs/common';

import { toYuan, translate, type Locale } from '../common/index.js';
import { PageBanners, type PageBanner } from '../theme/index.js';

import { gatewayName, PaymentMethods, PaymentRegistry } from './gateways/index.js';
import { RejectedNotifications } from './notifications/index.js';
import { SecondPayments } from './second-payments/index.js';

/** Pages that show banners about second payments. */
const ORDER_PAGES: ReadonlySet<string> = new Set(['/admin', '/admin/', '/admin/orders']);
/** Page that shows banners about unavailable gateways. */
const GATEWAY_PAGE = '/admin/plugins';
/** Maximum payments shown at a time; further ones follow when these are resolved. */
const SHOWN = 5;

/** Administrator banners: second payments, rejected notifications, enabled gateways without an offered method. */
@Injectable()
export class PaymentBanners implements OnModuleInit {
  constructor(
    private readonly payments: SecondPayments,
    private readonly methods: PaymentMethods,
    private readonly registry: PaymentRegistry,
    private readonly rejected: RejectedNotifications,
    /** Missing in a process without pages. */
    @Optional() private readonly banners?: PageBanners,
  ) {}

  onModuleInit(): void {
    this.banners?.add(async ({ side, call, locale }) => {
      if (side !== 'admin') return [];
      if (ORDER_PAGES.has(call.path)) return [...(await this.secondPayments(locale)), ...(await this.rejectedNotifications(locale))];
      return call.path === GATEWAY_PAGE ? this.idleGateways(locale) : [];
    });
  }

  private async secondPayments(locale: Locale): Promise<PageBanner[]> {
    return (await this.payments.open(SHOWN)).map(({ id, number, gateway, tradeNumber, amount }) => {
      const params = { number, gateway: this.methods.gatewayName(gateway, locale), trade_no: tradeNumber, rmb: toYuan(amount) };
      return {
        id: `second-payment-${id}`,
        level: 'danger',
        text: translate(locale, 'payment.banner_second', params),
        action: {
          label: translate(locale, 'payment.banner_second_done'),
          operation: 'zftk',
          fields: { id: String(id) },
          confirm: translate(locale, 'payment.banner_second_confirm', params),
        },
      };
    });
  }

  private async rejectedNotifications(locale: Locale): Promise<PageBanner[]> {
    const count = await this.rejected.lastDay();
    if (count === 0) return [];
    return [
      {
        id: 'rejected-notifications',
        level: 'warning',
        text: translate(locale, 'payment.banner_rejected', { count }),
        action: { label: translate(locale, 'payment.banner_rejected_link'), url: '/admin/payment-log' },
      },
    ];
  }

  private async idleGateways(locale: Locale): Promise<PageBanner[]> {
    const offered = new Set((await this.methods.available()).map(({ plugin }) => plugin));
    return this.registry
      .list()
      .filter(({ slug }) => !offered.has(slug))
      .map((gateway) => ({
        id: `gateway-${gateway.slug}`,
        level: 'info',
        text: translate(locale, 'payment.banner_not_offered', { name: gatewayName(gateway, locale) }),
        action: { label: translate(locale, 'payment.banner_not_offered_link'), url: '/admin/settings?tab=payments' },
      }));
  }
}

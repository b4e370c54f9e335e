import { Controller } from '@nestjs/common';

import { daysBetween, sanitizeNotice } from '../../common/index.js';
import { ZonedClock } from '../../config/index.js';
import { HookRegistry } from '../../hooks/index.js';
import type { RequestContext } from '../../operations/index.js';
import type { WidgetRecord } from '../../sdk/index.js';
import { SiteSettings } from '../../site/index.js';
import { WidgetRegistry, trustedHtml } from '../../theme/index.js';
import { Page } from '../../web/index.js';
import { BYTES_PER_GB, BYTES_PER_MB, fullness } from '../accounts/index.js';
import { DomainRepository } from '../domains/index.js';
import { HostingService } from '../hosting.service.js';
import { shownStatus } from '../shown-status.js';

/** Dashboard of the user side: the host and its usage. */
@Controller()
export class UserDashboardPages {
  constructor(
    private readonly clock: ZonedClock,
    private readonly site: SiteSettings,
    private readonly hosting: HostingService,
    private readonly hooks: HookRegistry,
    private readonly widgets: WidgetRegistry,
    private readonly domains: DomainRepository,
  ) {}

  @Page({
    side: 'user',
    path: '',
    plain: true,
    view: 'index',
    title: 'hosting.menu.user_home',
    menu: { icon: 'mdi-view-dashboard-outline', order: 10 },
  })
  async dashboard(call: RequestContext): Promise<object> {
    const [host, widgets] = await Promise.all([
      this.hostCard(call.user!.id),
      this.widgets.buildWidgets('user', null, {
        call,
        locale: call.locale,
        apply: async (list) => (await this.hooks.applyByReference('dashboard.user.widgets', list as WidgetRecord[])) as typeof list,
      }),
    ]);
    const { notice } = this.site.current;
    return { host, widgets, notice: notice ? trustedHtml(sanitizeNotice(notice)) : undefined };
  }

  private async hostCard(id: number): Promise<Record<string, unknown>> {
    const [host, usage] = await Promise.all([this.hosting.get(id), this.hosting.usage(id)]);
    if (!host) return {};
    const unmeasured = await this.hosting.unenforced(host.node);
    return {
      user: host.user,
      status: shownStatus({ ...host, state: host.status }, this.clock.today()),
      url: host.url,
      node: host.node,
      created_at: host.createdAt,
      expires_on: host.expiresOn,
      days_left: host.expiresOn === null ? undefined : this.daysUntil(host.expiresOn),
      web_used: round(usage.webBytes / BYTES_PER_MB),
      web_limit: host.webMb,
      web_state: fullness(usage.webBytes, host.webMb * BYTES_PER_MB),
      has_database: !unmeasured.includes('databaseMb'),
      database_used: round(usage.databaseBytes / BYTES_PER_MB),
      database_limit: host.databaseMb,
      database_state: fullness(usage.databaseBytes, host.databaseMb * BYTES_PER_MB),
      has_traffic: !unmeasured.includes('trafficGb'),
      traffic_used: round(usage.trafficBytes / BYTES_PER_GB),
      traffic_limit: host.trafficGb,
      traffic_state: fullness(usage.trafficBytes, host.trafficGb * BYTES_PER_GB),
      measured_at: usage.measuredAt?.toISOString(),
      domains_used: await this.domains.count(id),
      domains: host.domains,
    };
  }

  /** Returns the days until the last day, in the time zone of legacy dates; undefined if it has passed. */
  private daysUntil(day: string): number | undefined {
    const days = daysBetween(this.clock.today(), day);
    return days < 0 ? undefined : days;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

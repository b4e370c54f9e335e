import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { returnAddress } from '../auth/index.js';
import { AppConfig } from '../config/index.js';
import { HookRegistry } from '../hooks/index.js';
import { HostingService, shownStatus } from '../hosting/index.js';
import { Clock, legacyDay, sanitizeNotice, translate } from '../common/index.js';
import { sendRedirect, UserPanelSwitch, type RequestContext } from '../operations/index.js';
import type { WidgetRecord } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';
import { WidgetRegistry, trustedHtml } from '../theme/index.js';
import { PageSender } from '../web/index.js';

const BYTES_PER_MB = 1024 ** 2;
const BYTES_PER_GB = 1024 ** 3;
const MS_PER_DAY = 24 * 3600 * 1000;

/** What the pages of the user side show. */
@Injectable()
export class UserPages {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly site: SiteSettings,
    private readonly hosting: HostingService,
    private readonly hooks: HookRegistry,
    private readonly widgets: WidgetRegistry,
    private readonly userPanel: UserPanelSwitch,
    private readonly pages: PageSender,
  ) {}

  async login(res: ServerResponse, call: RequestContext): Promise<void> {
    this.userPanel.requireOpen();
    if (call.user) return sendRedirect(res, returnAddress('user', call.query.next));
    await this.pages.send(res, call, 'user', 'login', {
      captcha: this.config.captcha.kind !== 'off' && this.site.current.userCaptcha,
      username: call.query.user?.slice(0, 64),
      next: call.query.next,
      message: call.query.from === 'link' ? translate(call.locale, 'web.one_click_limits') : undefined,
    });
  }

  async dashboard(res: ServerResponse, call: RequestContext): Promise<void> {
    const [host, widgets] = await Promise.all([
      this.hostCard(call.user!.id),
      this.widgets.buildWidgets('user', null, {
        call,
        locale: call.locale,
        apply: async (list) => (await this.hooks.applyByReference('dashboard.user.widgets', list as WidgetRecord[])) as typeof list,
      }),
    ]);
    const notice = this.site.current.notice;
    await this.pages.send(res, call, 'user', 'index', { host, widgets, notice: notice ? trustedHtml(sanitizeNotice(notice)) : undefined });
  }

  private async hostCard(id: number): Promise<Record<string, unknown>> {
    const [host, usage] = await Promise.all([this.hosting.get(id), this.hosting.usage(id)]);
    if (!host) return {};
    return {
      user: host.user,
      status: shownStatus({ ...host, state: host.status }, legacyDay(this.clock.now(), this.config.timezone)),
      url: host.url,
      node: host.node,
      created_at: host.createdAt,
      expires_on: host.expiresOn,
      days_left: host.expiresOn === null ? undefined : this.daysUntil(host.expiresOn),
      web_used: round(usage.webBytes / BYTES_PER_MB),
      web_limit: host.webMb,
      database_used: round(usage.databaseBytes / BYTES_PER_MB),
      database_limit: host.databaseMb,
      traffic_used: round(usage.trafficBytes / BYTES_PER_GB),
      traffic_limit: host.trafficGb,
      domains_used: 0,
      domains: host.domains,
    };
  }

  /** Days until the last day, in the zone of legacy dates; undefined where it is over. */
  private daysUntil(day: string): number | undefined {
    const today = Date.parse(legacyDay(this.clock.now(), this.config.timezone));
    const days = Math.round((Date.parse(day) - today) / MS_PER_DAY);
    return days < 0 ? undefined : days;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

import type { ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';

import { returnAddress } from '../auth/index.js';
import { translateFor } from '../common/index.js';
import { ApiCallers } from '../hosting/index.js';
import { DeadLetters, HookRegistry } from '../hooks/index.js';
import { OrderExpiry, PaymentMethods, PaymentRegistry, methodsForm } from '../payment/index.js';
import { PluginOptions, optionsForm } from '../plugin-registry/index.js';
import { scanForm } from '../agents/index.js';
import { AppConfig } from '../config/index.js';
import { sendRedirect, versionOf, type FormValues, type RequestContext } from '../operations/index.js';
import type { PaymentMethodRecord, SettingsTabRecord, WidgetRecord } from '../sdk/index.js';
import { SiteSettings, apiForm, logosForm, siteForm, userSideForm } from '../site/index.js';
import { PageRegistry, SettingsTabRegistry, ThemeRenderer, WidgetRegistry, trustedHtml, type SettingsTab } from '../theme/index.js';
import { PageSender } from '../web/index.js';

import { DashboardNumbers } from './dashboard-numbers.js';
import { PluginPages } from './plugin-pages.js';

const CORE_TABS = ['site', 'user', 'account', 'api', 'payments', 'scans'] as const;
type CoreTab = (typeof CORE_TABS)[number];

/** What the pages of the admin side show. */
@Injectable()
export class AdminPages {
  constructor(
    private readonly config: AppConfig,
    private readonly site: SiteSettings,
    private readonly numbers: DashboardNumbers,
    private readonly deadLetters: DeadLetters,
    private readonly hooks: HookRegistry,
    private readonly widgets: WidgetRegistry,
    private readonly tabs: SettingsTabRegistry,
    private readonly pageRegistry: PageRegistry,
    private readonly pluginPages: PluginPages,
    private readonly pluginOptions: PluginOptions,
    private readonly apiCallers: ApiCallers,
    private readonly gateways: PaymentRegistry,
    private readonly methods: PaymentMethods,
    private readonly orderExpiry: OrderExpiry,
    private readonly themes: ThemeRenderer,
    private readonly pages: PageSender,
  ) {}

  async login(res: ServerResponse, call: RequestContext): Promise<void> {
    if (call.admin) return sendRedirect(res, returnAddress('admin', call.query.next));
    await this.pages.send(res, call, 'admin', 'login', {
      captcha: this.config.captcha.kind !== 'off' && this.site.current.adminCaptcha,
      username: call.query.user?.slice(0, 64),
      next: call.query.next,
    });
  }

  async dashboard(res: ServerResponse, call: RequestContext): Promise<void> {
    const [stats, orders, widgets, deadLetters] = await Promise.all([
      this.numbers.stats(),
      this.numbers.latestOrders(),
      this.widgets.buildWidgets('admin', null, {
        call,
        locale: call.locale,
        apply: async (list) => (await this.hooks.applyByReference('dashboard.admin.widgets', list as WidgetRecord[])) as typeof list,
      }),
      this.deadLetters.count(),
    ]);
    await this.pages.send(res, call, 'admin', 'index', {
      stats,
      orders,
      widgets,
      notices: this.themes.themeNotices(),
      dead_letters: deadLetters,
    });
  }

  async settings(res: ServerResponse, call: RequestContext): Promise<void> {
    const tab = call.query.tab ?? 'site';
    const pluginTabs = await this.tabs.buildTabs(
      async (list) => (await this.hooks.applyByReference('settings.admin.tabs', list as SettingsTabRecord[])) as typeof list,
    );
    const tabs = pluginTabs.map(({ id, owner, title, url, page }) => ({
      id,
      title: translateFor(owner, call.locale, title),
      href: url && !page ? url : `/admin/settings?tab=${encodeURIComponent(id)}`,
    }));
    const vars = isCoreTab(tab)
      ? await this.coreTab(tab, call)
      : await this.pluginTab(
          pluginTabs.find(({ id }) => id === tab),
          call,
        );
    if (!vars) return this.pages.sendError(res, call, 'admin', 404, 'web.not_found', 'web.not_found_text');
    await this.pages.send(res, call, 'admin', 'settings', { tab, tabs, ...vars });
  }

  private async coreTab(tab: CoreTab, call: RequestContext): Promise<Record<string, unknown>> {
    const site = this.site.current;
    if (tab === 'site') return formOf(siteForm(site));
    if (tab === 'api') return { ...formOf(apiForm(site)), api_url: `${call.baseUrl}/api/api.php`, callers: await this.apiCallers.recent() };
    if (tab === 'user') {
      const { config, row_version } = formOf(userSideForm(site));
      return { config: { ...config, zjyx: site.mailRequired }, row_version, logos_version: versionOf(logosForm(site)) };
    }
    if (tab === 'scans') return formOf(scanForm(site));
    return tab === 'payments' ? this.paymentsTab() : {};
  }

  private async paymentsTab(): Promise<Record<string, unknown>> {
    const enabled = await this.methods.enabled();
    const { ttlHours } = this.orderExpiry;
    return {
      methods: this.paymentMethods(enabled),
      row_version: versionOf(methodsForm(enabled)),
      order_ttl: ttlHours,
      order_ttl_version: versionOf({ order_ttl: ttlHours }),
    };
  }

  private paymentMethods(enabled: readonly PaymentMethodRecord[]): object[] {
    // Of a gateway that is off, what was configured stays, and says so.
    const off = enabled
      .filter(({ plugin, method }) => !this.gateways.get(plugin)?.methods.has(method))
      .map((method) => ({ ...method, plugin_name: method.plugin, enabled: true, is_off: true }));
    const on = Object.entries(this.gateways.all()).flatMap(([plugin, { name, methods }]) =>
      Object.entries(methods).map(([method, label]) => {
        const own = enabled.find((candidate) => candidate.plugin === plugin && candidate.method === method);
        return {
          plugin,
          plugin_name: name,
          method,
          display_name: own?.display_name || label,
          icon: own?.icon ?? '',
          sort: own?.sort ?? 99,
          enabled: own !== undefined,
          is_off: false,
        };
      }),
    );
    return [...on, ...off];
  }

  private async pluginTab(tab: SettingsTab | undefined, call: RequestContext): Promise<Record<string, unknown> | null> {
    if (!tab) return null;
    if (tab.page) {
      const record = this.pageRegistry.find('admin', tab.owner, tab.page);
      return record && { content: trustedHtml(await this.pluginPages.embed(record, tab.owner, call)) };
    }
    if (tab.fields.length === 0) return null;
    const stored = await this.pluginOptions.all(tab.owner);
    const fields = tab.fields.map((field) => ({
      ...field,
      value: field.type === 'password' ? '' : String(stored[field.key] ?? field.default ?? ''),
    }));
    return { slug: tab.owner, fields, row_version: versionOf(optionsForm(tab.fields, stored)) };
  }
}

/** What a settings form shows, and the version it sends along. */
function formOf<Form extends FormValues>(config: Form): { config: Form; row_version: string } {
  return { config, row_version: versionOf(config) };
}

function isCoreTab(tab: string): tab is CoreTab {
  return (CORE_TABS as readonly string[]).includes(tab);
}

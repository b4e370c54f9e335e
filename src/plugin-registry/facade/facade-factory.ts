import { Injectable } from '@nestjs/common';

import { AppConfig } from '../../config/index.js';
import type { SvcFacade } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { PluginInfos } from '../plugin-infos.js';
import { PluginNotices } from '../plugin-notices.js';
import { PluginTables } from '../tables/plugin-tables.js';
import { RunningPlugins } from '../runtime/running-plugins.js';
import type { PluginLife } from '../runtime/plugin-life.js';

import { Capabilities } from './capabilities.js';
import { AccountFunctionsFactory, CustomerFunctionsFactory } from './customer-functions.js';
import { CreditFunctionsFactory } from './credit-functions.js';
import { DnsFunctionsFactory } from './dns-functions.js';
import { DriverFunctionsFactory } from './driver-functions.js';
import { GuardFunctionsFactory } from './guard-functions.js';
import { guardedFacade } from './guarded-facade.js';
import { HookFunctionsFactory } from './hook-functions.js';
import { NoticeFunctionsFactory } from './notice-functions.js';
import { OrderFunctionsFactory } from './order-functions.js';
import { PaymentFunctionsFactory } from './payment-functions.js';
import { ServiceFactory } from './service-factory.js';

/** Composes what a plugin sees of the panel. */
@Injectable()
export class FacadeFactory {
  constructor(
    private readonly capabilities: Capabilities,
    private readonly hooks: HookFunctionsFactory,
    private readonly guards: GuardFunctionsFactory,
    private readonly payments: PaymentFunctionsFactory,
    private readonly channels: NoticeFunctionsFactory,
    private readonly drivers: DriverFunctionsFactory,
    private readonly dns: DnsFunctionsFactory,
    private readonly customers: CustomerFunctionsFactory,
    private readonly accounts: AccountFunctionsFactory,
    private readonly credit: CreditFunctionsFactory,
    private readonly orders: OrderFunctionsFactory,
    private readonly services: ServiceFactory,
    private readonly tables: PluginTables,
    private readonly config: AppConfig,
    private readonly infos: PluginInfos,
    private readonly notices: PluginNotices,
    private readonly running: RunningPlugins,
  ) {}

  /** The facade of one plugin; what it registers and starts belongs to `life`, with which the facade ends. */
  create(plugin: PluginPackage, life: PluginLife): SvcFacade {
    const { slug } = plugin;
    const { registrations, timers } = life;
    registrations.add(this.notices.begin(slug));
    registrations.add(this.infos.begin(slug));
    const facade: SvcFacade = {
      slug,
      path: plugin.folder,
      timezone: this.config.timezone,
      site: this.services.site(),
      hosts: this.services.hostsFor(slug),
      orders: this.orders.serviceFor(slug),
      customers: this.customers.serviceFor(plugin),
      customerAccounts: this.accounts.serviceFor(plugin, registrations),
      credit: this.credit.serviceFor(plugin),
      db: this.tables.forPlugin(slug),
      log: this.services.loggerFor(slug),
      svc_plugin_register: (target: string, info: Record<string, unknown>) => {
        if (target === slug) this.infos.register(slug, info);
        else this.notices.add(slug, 'plugins.notice.other_slug', { slug: String(target).slice(0, 60) });
        return target === slug;
      },
      ...this.hooks.functionsFor(slug, registrations),
      ...this.capabilities.functionsFor(plugin, registrations),
      ...this.guards.functionsFor(slug, (target) => (target === slug ? plugin : this.running.get(target)?.package)),
      ...this.payments.functionsFor(slug, registrations),
      ...this.channels.functionsFor(slug, registrations),
      ...this.drivers.functionsFor(plugin, registrations),
      ...this.dns.functionsFor(plugin, registrations),
      onStop: (callback) => life.onStop(callback),
      setTimeout: timers.setTimeout as SvcFacade['setTimeout'],
      setInterval: timers.setInterval as SvcFacade['setInterval'],
      setImmediate: timers.setImmediate as SvcFacade['setImmediate'],
    };
    return guardedFacade(facade, life);
  }
}

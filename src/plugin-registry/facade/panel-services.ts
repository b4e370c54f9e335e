import { Injectable } from '@nestjs/common';

import { isDayAlone, loggerFor, momentOf, timeInSentence } from '../../common/index.js';
import { AppConfig, BaseUrl } from '../../config/index.js';
import type { PluginLogger, SiteInfo, SvcFacade } from '../../sdk/index.js';
import { SiteBrand } from '../../web/index.js';

import type { PluginPackage } from '../package/manifest.js';
import { requireOwnTables } from '../tables/own-tables.js';
import { PluginTables } from '../tables/plugin-tables.js';

import { PasswordFunctionsFactory } from './password-functions.js';

/** Services of the installation available to every plugin. */
export type ServicesOfPanel = Pick<SvcFacade, 'timezone' | 'timeText' | 'site' | 'db' | 'log' | 'passwords'>;

/** Provides a plugin's tables, its log, password functions, and the site's name. */
@Injectable()
export class PanelServicesFactory {
  constructor(
    private readonly tables: PluginTables,
    private readonly config: AppConfig,
    private readonly brand: SiteBrand,
    private readonly baseUrl: BaseUrl,
    private readonly passwords: PasswordFunctionsFactory,
  ) {}

  servicesFor(plugin: PluginPackage): ServicesOfPanel {
    const { slug } = plugin;
    return {
      timezone: this.config.timezone,
      timeText: (moment) => timeText(moment, this.config.timezone),
      site: siteOf(this.brand, this.baseUrl),
      db: this.tables.forPlugin(slug, (sql) => requireOwnTables(plugin, sql)),
      log: logOf(slug),
      passwords: this.passwords.serviceFor(slug),
    };
  }
}

const siteOf = (brand: SiteBrand, address: BaseUrl): SiteInfo => ({
  name: () => brand.name,
  logo: () => brand.logos.login,
  icon: () => brand.icon,
  url: () => address.current(),
});

function timeText(given: unknown, zone: string): string {
  // A day without a time is the same everywhere, and has no time to format.
  const moment = isDayAlone(given) ? undefined : momentOf(given instanceof Date ? given.getTime() : given, zone);
  if (!moment)
    throw new TypeError('timeText needs a Date, milliseconds since 1970, an ISO 8601 string or a time as ' + 'returned by the panel.');
  return timeInSentence(moment, zone);
}

function logOf(slug: string): PluginLogger {
  // The slug is a field of each line instead of a child logger, because the throttle reads the line.
  const log = loggerFor('plugin');
  return {
    debug: (message, fields = {}) => log.debug({ ...fields, plugin: slug }, message),
    info: (message, fields = {}) => log.info({ ...fields, plugin: slug }, message),
    warn: (message, fields = {}) => log.warn({ ...fields, plugin: slug }, message),
    error: (message, fields = {}) => log.error({ ...fields, plugin: slug }, message),
  };
}

import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../../config/index.js';
import { loggerFor } from '../../common/index.js';
import type { HostsService, PluginLogger, SiteInfo } from '../../sdk/index.js';
import { SiteBrand } from '../../web/index.js';

import { HostServices } from './host-services.js';

/** Binds the business services to one plugin: what it causes carries its slug as the source. */
@Injectable()
export class ServiceFactory {
  constructor(
    private readonly hosts: HostServices,
    private readonly brand: SiteBrand,
    private readonly baseUrl: BaseUrl,
  ) {}

  site(): SiteInfo {
    return { name: () => this.brand.name, url: () => this.baseUrl.current() };
  }

  hostsFor(slug: string): HostsService {
    return this.hosts.hostsFor(slug);
  }

  loggerFor(slug: string): PluginLogger {
    // The slug is a field of each line, not of a child logger: the throttle looks at the line.
    const log = loggerFor('plugin');
    return {
      debug: (message, fields = {}) => log.debug({ ...fields, plugin: slug }, message),
      info: (message, fields = {}) => log.info({ ...fields, plugin: slug }, message),
      warn: (message, fields = {}) => log.warn({ ...fields, plugin: slug }, message),
      error: (message, fields = {}) => log.error({ ...fields, plugin: slug }, message),
    };
  }
}

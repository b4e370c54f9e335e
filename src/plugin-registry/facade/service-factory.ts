import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../../config/index.js';
import { executionContext, loggerFor } from '../../common/index.js';
import { HostingService } from '../../hosting/index.js';
import { OrderClosing, OrderLimits, Orders } from '../../payment/index.js';
import type { HostsService, OrdersService, PluginLogger, SiteInfo } from '../../sdk/index.js';
import { SiteBrand } from '../../web/index.js';

/** Binds the business services to one plugin: what it causes carries its slug as the source. */
@Injectable()
export class ServiceFactory {
  constructor(
    private readonly hosting: HostingService,
    private readonly orders: Orders,
    private readonly limits: OrderLimits,
    private readonly closing: OrderClosing,
    private readonly brand: SiteBrand,
    private readonly baseUrl: BaseUrl,
  ) {}

  site(): SiteInfo {
    return { name: () => this.brand.name, url: () => this.baseUrl.current() };
  }

  hostsFor(slug: string): HostsService {
    const { hosting } = this;
    return {
      provision: (request) => hosting.provision(request, slug),
      pause: (id, reason = 'plugin') => hosting.pause(id, reason, slug),
      unpause: (id, reason = 'plugin') => hosting.unpause(id, reason, slug),
      renew: (id, expiresOn) => hosting.renew(id, expiresOn, slug),
      terminate: (id) => hosting.terminate(id, slug),
      get: (idOrUser) => hosting.get(idOrUser),
      nodes: () => hosting.nodes(),
      setQuota: (id, quota) => hosting.setQuota(id, quota, slug),
    };
  }

  ordersFor(slug: string): OrdersService {
    return {
      create: async (request) => {
        await this.limits.take(request);
        // Whose order it is, is who is signed in, never who has the name: that may be another one tomorrow.
        const user = executionContext.getStore()?.call?.user;
        const owner = request.owner === undefined ? (user ? { account: user.id } : null) : request.owner;
        return this.orders.toOrderSummary(await this.orders.create({ ...request, owner }));
      },
      paid: async (query) => (await this.orders.paid(query)).map((order) => this.orders.toOrderSummary(order)),
      close: async (idOrNumber) => {
        const order = await this.orders.get(idOrNumber);
        return order !== null && (await this.closing.close(order.id, { source: slug }));
      },
      assign: (idOrNumber, owner) => this.orders.assign(idOrNumber, owner),
      get: async (idOrNumber) => {
        const order = await this.orders.get(idOrNumber);
        return order ? this.orders.toOrderSummary(order) : null;
      },
    };
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

import { Injectable } from '@nestjs/common';

import { ZonedClock } from '../../config/index.js';
import { HostingService } from '../../hosting/index.js';
import { HostPayments } from '../../packages/index.js';
import type { HostPaid, HostQuota, HostsQuery, HostsService, ProvisionRequest } from '../../sdk/index.js';

import type { PluginPackage } from '../package/manifest.js';

import { HostDomainFunctions } from './host-domain-functions.js';
import { HostLists } from './host-lists.js';
import { withMessages } from './refusals.js';
import { withPermission } from './with-permission.js';

/** The host service of one plugin. */
@Injectable()
export class HostServices {
  constructor(
    private readonly hosting: HostingService,
    private readonly payments: HostPayments,
    private readonly clock: ZonedClock,
    private readonly domains: HostDomainFunctions,
    private readonly lists: HostLists,
  ) {}

  /** Records the plugin's slug as the source of its actions. */
  hostsFor(plugin: PluginPackage): HostsService {
    const { hosting } = this;
    const { slug } = plugin;
    const passwords: Pick<HostsService, 'setPassword' | 'signInLink'> = {
      signInLink: (id) => this.lists.signInLink(id),
      setPassword: async (id, password) => {
        await hosting.changePassword(id, password);
      },
    };
    const calls = {
      provision: (request: ProvisionRequest) => hosting.provision(request, slug),
      pause: (id: number, reason = 'plugin') => hosting.pause(id, reason, slug),
      unpause: (id: number, reason = 'plugin') => hosting.unpause(id, reason, slug),
      renew: (id: number, expiresOn: string | null) => hosting.renew(id, expiresOn, slug),
      terminate: (id: number) => hosting.terminate(id, slug),
      get: (idOrUser: number | string) => hosting.get(idOrUser),
      list: (ids: readonly number[]) => hosting.list(ids),
      find: (query?: HostsQuery) => this.lists.find(query),
      servers: () => this.lists.servers(),
      opened: (idempotencyKey: string) => hosting.opened(idempotencyKey, slug),
      nodes: () => hosting.nodes(),
      groups: () => hosting.groups(),
      paid: (id: number, payment: HostPaid) => this.payments.opened(id, payment, this.clock.today()),
      setQuota: (id: number, quota: HostQuota) => hosting.setQuota(id, quota, slug),
    };
    return {
      ...withPermission(plugin, 'hosts', 'svc.hosts', { ...withMessages(calls), ...this.domains.functions() }),
      ...withPermission(plugin, 'host_passwords', 'svc.hosts', withMessages(passwords)),
    };
  }
}

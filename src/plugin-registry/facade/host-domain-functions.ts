import { Injectable } from '@nestjs/common';

import { DomainRepository, SiteAccess, SiteDomains } from '../../hosting/index.js';
import type { HostsService } from '../../sdk/index.js';

import { withMessages } from './refusals.js';

/** Domains of hosts, for plugins. */
@Injectable()
export class HostDomainFunctions {
  constructor(
    private readonly repository: DomainRepository,
    private readonly access: SiteAccess,
    private readonly sites: SiteDomains,
  ) {}

  functions(): Pick<HostsService, 'domains' | 'bindDomain' | 'unbindDomain'> {
    return withMessages({
      domains: async (id: number) =>
        (await this.repository.all(id)).map(({ name, folder, createdAt }) => ({ name, folder, boundAt: createdAt.toISOString() })),
      bindDomain: async (id: number, domain: string, folder = '') => {
        await this.sites.bind(await this.access.ofHost(id), domain, folder);
      },
      unbindDomain: async (id: number, domain: string) => {
        await this.sites.unbind(await this.access.ofHost(id), domain);
      },
    });
  }
}

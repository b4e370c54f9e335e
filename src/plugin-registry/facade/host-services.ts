import { Injectable } from '@nestjs/common';

import { Clock, legacyDay } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { HostingService } from '../../hosting/index.js';
import { HostPayments } from '../../packages/index.js';
import type { HostsService, ProvisionRequest } from '../../sdk/index.js';

import { HostDomainFunctions } from './host-domain-functions.js';
import { inWords } from './refusals.js';

/** Hosts as one plugin has them. */
@Injectable()
export class HostServices {
  constructor(
    private readonly hosting: HostingService,
    private readonly payments: HostPayments,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly domains: HostDomainFunctions,
  ) {}

  /** What a plugin causes carries its slug as the source. */
  hostsFor(slug: string): HostsService {
    const { hosting } = this;
    return {
      ...inWords({ provision: (request: ProvisionRequest) => hosting.provision(request, slug) }),
      pause: (id, reason = 'plugin') => hosting.pause(id, reason, slug),
      unpause: (id, reason = 'plugin') => hosting.unpause(id, reason, slug),
      renew: (id, expiresOn) => hosting.renew(id, expiresOn, slug),
      terminate: (id) => hosting.terminate(id, slug),
      get: (idOrUser) => hosting.get(idOrUser),
      nodes: () => hosting.nodes(),
      groups: () => hosting.groups(),
      paid: (id, payment) => this.payments.opened(id, payment, legacyDay(this.clock.now(), this.config.timezone)),
      setQuota: (id, quota) => hosting.setQuota(id, quota, slug),
      ...this.domains.functions(),
    };
  }
}

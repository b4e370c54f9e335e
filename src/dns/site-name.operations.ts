import { Injectable } from '@nestjs/common';

import { Operation, SuccessReply } from '../operations/index.js';

import { SiteNamesInput } from './dns-inputs.js';
import { SiteNames } from './site-names.js';

/** Selects the provider of the sites' own names. Source: docs/panel-api.md "Names at the DNS". */
@Injectable()
export class SiteNameOperations {
  constructor(private readonly sites: SiteNames) {}

  @Operation({ side: 'admin', gn: 'p_dns_sites_save', auth: 'admin', input: SiteNamesInput, audit: 'dns.audit_sites', rate: 'write' })
  async save({ provider_id: id }: SiteNamesInput): Promise<SuccessReply> {
    await this.sites.choose(id);
    return new SuccessReply(id > 0 ? 'dns.sites_saved' : 'dns.sites_none', { provider_id: id });
  }
}

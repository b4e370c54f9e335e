import { Injectable } from '@nestjs/common';

import { CertificateRepository } from '../certificates/index.js';
import { DomainRepository, type DomainError, isElsewhere, serverDomainError } from '../domains/index.js';
import { WebSettingRepository } from '../web-settings/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Parts of a site's serving that are compared with the panel's rows. */
export type ServedKind = 'domains' | 'settings' | 'certificate';

/** What sites are served with, where their servers have to be told: domains, settings, certificates. */
@Injectable()
export class SiteServing {
  constructor(
    private readonly domains: DomainRepository,
    private readonly settings: WebSettingRepository,
    private readonly certificates: CertificateRepository,
  ) {}

  /**
   * Tells a site's server all of it, as the rows have it. A name another site there has keeps it from nothing else.
   *
   * @throws what the server comes to; at the end DomainError ELSEWHERE, naming such a name
   */
  async tell(site: OpenSite): Promise<void> {
    const { id } = site.account;
    const elsewhere = await this.tellDomains(site);
    if (site.has('settings')) {
      const wanted = await this.settings.of(id);
      await site.ask('settings', (port, account, deadline) => port.apply(account, wanted, deadline));
      if (site.has('rewrites')) await site.ask('rewrites', (port, account, deadline) => port.apply(account, wanted.rewrites, deadline));
    }
    if (site.has('certificates')) await this.certificates.tell(site);
    if (elsewhere) throw elsewhere;
  }

  /** @returns what keeps one of the names from being bound: another site has it */
  private async tellDomains(site: OpenSite): Promise<DomainError | null> {
    if (!site.has('domains')) return null;
    const wanted = await this.domains.wanted(site.account.id);
    try {
      await site.ask('domains', (port, account, deadline) => port.apply(account, wanted, deadline), serverDomainError);
    } catch (error) {
      if (isElsewhere(error)) return error;
      throw error;
    }
    return null;
  }

  /** Whether a site's server can tell any of it. */
  canTell(site: OpenSite): boolean {
    return (['domains', 'settings', 'certificates'] as const).some((name) => site.has(name) && site.port(name).matches !== undefined);
  }

  /** What of it the server has otherwise; nothing of what it cannot tell. @throws what the server comes to */
  async differences(site: OpenSite): Promise<ServedKind[]> {
    const { id } = site.account;
    const found: ServedKind[] = [];
    if (site.has('domains') && site.port('domains').matches) {
      const wanted = await this.domains.wanted(id);
      if (!(await site.ask('domains', (port, account, deadline) => port.matches!(account, wanted, deadline)))) found.push('domains');
    }
    // A server that was never told any serves a site as it likes.
    if (site.has('settings') && site.port('settings').matches && (await this.settings.isSet(id))) {
      const wanted = await this.settings.of(id);
      if (!(await site.ask('settings', (port, account, deadline) => port.matches!(account, wanted, deadline)))) found.push('settings');
    }
    if (site.has('certificates') && site.port('certificates').matches) {
      const wanted = await this.certificates.wanted(id);
      const isSame =
        wanted === undefined || (await site.ask('certificates', (port, account, deadline) => port.matches!(account, wanted, deadline)));
      if (!isSame) found.push('certificate');
    }
    return found;
  }
}

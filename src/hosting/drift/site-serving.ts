import { Injectable } from '@nestjs/common';

import { CertificateRepository } from '../certificates/index.js';
import { DomainRepository, type DomainError, isElsewhere, serverDomainError } from '../domains/index.js';
import { WebSettingRepository } from '../web-settings/index.js';
import type { OpenSite } from '../site-tools/index.js';

/** Parts of a site's configuration that are compared with the panel's rows. */
export type ServedKind = 'domains' | 'settings' | 'certificate';

/** Sends domains, settings and certificates of sites to servers that need them, and compares them. */
@Injectable()
export class SiteServing {
  constructor(
    private readonly domains: DomainRepository,
    private readonly settings: WebSettingRepository,
    private readonly certificates: CertificateRepository,
  ) {}

  /**
   * Sends the complete configuration in the rows to a site's server. A domain used by another site there does not stop the rest.
   *
   * @throws errors of the server; at the end DomainError ELSEWHERE naming such a domain
   */
  async push(site: OpenSite): Promise<void> {
    const { id } = site.account;
    const elsewhere = await this.pushDomains(site);
    if (site.has('settings')) {
      const wanted = await this.settings.of(id);
      await site.ask('settings', (port, account, deadline) => port.apply(account, wanted, deadline));
      if (site.has('rewrites')) await site.ask('rewrites', (port, account, deadline) => port.apply(account, wanted.rewrites, deadline));
    }
    if (site.has('certificates')) await this.certificates.push(site);
    if (elsewhere) throw elsewhere;
  }

  /** @returns the error if another site has one of the domains */
  private async pushDomains(site: OpenSite): Promise<DomainError | null> {
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

  /** Returns whether the site's server can report any part of its configuration. */
  canReport(site: OpenSite): boolean {
    return (['domains', 'settings', 'certificates'] as const).some((name) => site.has(name) && site.port(name).matches !== undefined);
  }

  /** Returns the parts that differ on the server; parts it cannot report are skipped. @throws errors of the server */
  async differences(site: OpenSite): Promise<ServedKind[]> {
    const { id } = site.account;
    const found: ServedKind[] = [];
    if (site.has('domains') && site.port('domains').matches) {
      const wanted = await this.domains.wanted(id);
      if (!(await site.ask('domains', (port, account, deadline) => port.matches!(account, wanted, deadline)))) found.push('domains');
    }
    // Without stored settings, the server's own defaults apply.
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

import { Injectable } from '@nestjs/common';

import { SiteSettings } from '../../site/index.js';
import { HostingError } from '../hosting-errors.js';
import type { OpenSite } from '../site-tools/index.js';

import { AcmeProblem, Authorities } from './acme/index.js';
import { acmeSettings } from './acme-settings.js';
import { CertificateRepository } from './certificate-repository.js';
import { CertificateError, refuse } from './certificate-errors.js';
import { SiteCertificateService } from './site-certificate-service.js';

/** Revokes certificates whose key may be compromised. */
@Injectable()
export class CertificateRevocation {
  constructor(
    private readonly repository: CertificateRepository,
    private readonly service: SiteCertificateService,
    private readonly authorities: Authorities,
    private readonly settings: SiteSettings,
  ) {}

  /**
   * Revokes the certificate of a site at its authority and orders another one with a new key. The old one is served until then, because
   * without any the site would not answer at all. The call is idempotent: an authority reports that a certificate is already revoked.
   *
   * @returns why no other one could be ordered immediately, in which case it is ordered automatically later; null on success
   * @throws CertificateError NONE, OWN, REVOKED, NOT_REVOKED; HostingError PORT_MISSING
   */
  async revoke(site: OpenSite, by?: string): Promise<CertificateError | HostingError | null> {
    site.port('certificates');
    const { id } = site.account;
    const present = (await this.repository.of(id)) ?? refuse('NONE');
    if (present.source !== 'acme') refuse('OWN');
    if (present.revokedAt) refuse('REVOKED');
    await this.atAuthority(present.directory, present.chain);
    await this.repository.revoked(id, present.version);
    try {
      await this.service.order(site, [], true, by);
      return null;
    } catch (error) {
      if (!(error instanceof CertificateError || error instanceof HostingError)) throw error;
      // A running order has a new key also.
      return error.code === 'BUSY' ? null : error;
    }
  }

  private async atAuthority(directory: string, chain: string): Promise<void> {
    const { mail, binding } = acmeSettings(this.settings.current);
    try {
      await (await this.authorities.open(directory, mail, binding)).revoke(chain);
    } catch (error) {
      if (!(error instanceof AcmeProblem)) throw error;
      if (error.type !== 'alreadyRevoked') refuse('NOT_REVOKED', { detail: error.params.detail || error.kind });
    }
  }
}

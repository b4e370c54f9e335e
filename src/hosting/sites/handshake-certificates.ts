import type { SecureContext } from 'node:tls';

import { Injectable } from '@nestjs/common';

import { loggerFor } from '../../common/index.js';

import { SiteCertificates } from './site-certificates.js';
import { SiteLookup } from './site-lookup.js';

const log = loggerFor('sites');

/** Callback of Node's `SNICallback`. */
type ContextTaken = (error: Error | null, context?: SecureContext) => void;

/** Chooses the certificate for a TLS handshake by the name that the visitor asks for. */
@Injectable()
export class HandshakeCertificates {
  constructor(
    private readonly lookup: SiteLookup,
    private readonly certificates: SiteCertificates,
  ) {}

  /** Passes on the certificate of the site; without one the handshake ends with an alert. */
  choose(name: string, done: ContextTaken): void {
    this.contextOf(name).then(
      (context) => done(null, context ?? undefined),
      (error: unknown) => {
        log.error({ err: error, host: name }, 'the certificate of a site could not be found');
        done(null);
      },
    );
  }

  private async contextOf(name: string): Promise<SecureContext | null> {
    const site = await this.lookup.byHost(name);
    if (site.kind === 'unknown' || site.certificateVersion === null) return null;
    return this.certificates.contextFor(site.accountId, site.certificateVersion, site.name);
  }
}

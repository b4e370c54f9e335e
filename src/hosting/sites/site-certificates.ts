import { createSecureContext, type SecureContext } from 'node:tls';

import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';

const log = loggerFor('sites');
/** Maximum certificates cached in memory, some 30 KB each; the oldest are dropped first. */
const KEPT = 2_000;
/** Purpose used to encrypt private keys of certificates. */
export const CERTIFICATE_KEY_PLACE = 'certificate.key';

/** A parsed certificate. */
interface Ready {
  readonly names: readonly string[];
  /** Null if the key or certificate cannot be read. */
  readonly context: SecureContext | null;
}

/** Returns whether a certificate with these names covers a name, including wildcards. @param name in lower case */
export function coversName(names: readonly string[], name: string): boolean {
  return names.includes(name) || names.includes(`*${name.slice(name.indexOf('.'))}`);
}

/** Certificates of sites, parsed for TLS handshakes and reloaded when the version in the site's row changes. */
@Injectable()
export class SiteCertificates {
  private readonly kept = new Map<number, { readonly version: string; readonly ready: Promise<Ready> }>();
  private readonly find;

  constructor(
    database: Database,
    private readonly secrets: Secrets,
  ) {
    this.find = database.statement<{ names: string; chain: string; sealedKey: string }>(
      `SELECT {SiteCertificate.names} AS names, {SiteCertificate.chain} AS chain, {SiteCertificate.sealedKey} AS sealedKey
       FROM {SiteCertificate} WHERE {SiteCertificate.accountId} = ?`,
    );
  }

  /**
   * Returns the TLS context for a name of a site; null if its certificate does not cover the name.
   *
   * @param version current version of the certificate
   */
  async contextFor(accountId: number, version: string, name: string): Promise<SecureContext | null> {
    const { names, context } = await this.ready(accountId, version);
    return coversName(names, name) ? context : null;
  }

  /** Returns whether a name of a site is served over TLS. @param version as in {@link contextFor} */
  async serves(accountId: number, version: string, name: string): Promise<boolean> {
    return (await this.contextFor(accountId, version, name)) !== null;
  }

  private ready(accountId: number, version: string): Promise<Ready> {
    const kept = this.kept.get(accountId);
    if (kept?.version === version) return kept.ready;
    const ready = this.make(accountId);
    if (this.kept.size >= KEPT) this.kept.delete(this.kept.keys().next().value!);
    this.kept.delete(accountId);
    this.kept.set(accountId, { version, ready });
    ready.catch(() => this.kept.delete(accountId));
    return ready;
  }

  private async make(accountId: number): Promise<Ready> {
    const row = await this.find.get(accountId);
    if (!row) return { names: [], context: null };
    const key = this.secrets.open(row.sealedKey, CERTIFICATE_KEY_PLACE);
    if (key === null) log.warn({ account: accountId }, 'the key of a certificate cannot be opened with the key of this installation');
    return { names: JSON.parse(row.names) as string[], context: key === null ? null : contextOf(accountId, row.chain, key) };
  }
}

function contextOf(accountId: number, cert: string, key: string): SecureContext | null {
  try {
    // An empty list of authorities, because visitors do not present certificates.
    return createSecureContext({ cert, key, ca: [], minVersion: 'TLSv1.2' });
  } catch (error) {
    log.warn({ account: accountId, reason: errorMessage(error) }, 'a certificate cannot be used');
    return null;
  }
}

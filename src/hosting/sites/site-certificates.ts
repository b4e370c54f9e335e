import { createSecureContext, type SecureContext } from 'node:tls';

import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor } from '../../common/index.js';
import { Secrets } from '../../config/index.js';
import { Database } from '../../database/index.js';

const log = loggerFor('sites');
/** Certificates kept ready in memory, the last that were asked for: some 30 KB each. */
const KEPT = 2_000;
/** Purpose that private keys of certificates are sealed for. */
export const CERTIFICATE_KEY_PLACE = 'certificate.key';

/** A certificate as the sites server uses it. */
interface Ready {
  readonly names: readonly string[];
  /** Null where key or certificate cannot be read. */
  readonly context: SecureContext | null;
}

/** Tells whether a certificate of these names covers a name, wildcards included. @param name in lower case */
export function coversName(names: readonly string[], name: string): boolean {
  return names.includes(name) || names.includes(`*${name.slice(name.indexOf('.'))}`);
}

/** Certificates of sites, ready for handshakes: made anew where the version its row of the site names is another one. */
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
   * What a handshake for a name of a site goes on with; null where its certificate is not for that name.
   *
   * @param version of the certificate as of now
   */
  async contextFor(accountId: number, version: string, name: string): Promise<SecureContext | null> {
    const { names, context } = await this.ready(accountId, version);
    return coversName(names, name) ? context : null;
  }

  /** Whether a name of a site is served over TLS. @param version as in {@link contextFor} */
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
    // No authorities: nobody asks visitors for certificates.
    return createSecureContext({ cert, key, ca: [], minVersion: 'TLSv1.2' });
  } catch (error) {
    log.warn({ account: accountId, reason: errorMessage(error) }, 'a certificate cannot be used');
    return null;
  }
}

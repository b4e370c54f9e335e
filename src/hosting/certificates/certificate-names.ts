import { Injectable } from '@nestjs/common';

import { DomainRepository, readDomain } from '../domains/index.js';
import type { HostingAccount } from '../entities/index.js';
import { SitesAddress } from '../sites-address.js';

import { refuse } from './certificate-errors.js';

/** Names one order may have; authorities take 100 at most. */
export const MOST_NAMES = 50;

/** The names a site's certificate may be for: those bound to it, and its own. */
@Injectable()
export class CertificateNames {
  constructor(
    private readonly domains: DomainRepository,
    private readonly sites: SitesAddress,
  ) {}

  /** Every name of a site, its own last; wildcards too. */
  async of(account: Pick<HostingAccount, 'id' | 'username'>): Promise<string[]> {
    const bound = (await this.domains.all(account.id)).map(({ name }) => name);
    return [...new Set([...bound, this.sites.nameOf(account.username)])];
  }

  /**
   * Those an authority can be asked about: wildcards take a proof at the name servers, and names of one machine or
   * network mean nothing to others.
   */
  async orderable(account: Pick<HostingAccount, 'id' | 'username'>): Promise<string[]> {
    return (await this.of(account)).filter((name) => !name.startsWith('*') && typeof readDomain(name) !== 'string');
  }

  /**
   * Names as somebody wants them in a certificate, however they are written.
   *
   * @throws CertificateError NO_NAMES, MANY_NAMES, NOT_BOUND, WILDCARD, LOCAL
   */
  async wanted(account: Pick<HostingAccount, 'id' | 'username'>, given: readonly string[]): Promise<string[]> {
    const texts = [...new Set(given.map((text) => text.trim().toLowerCase()).filter((text) => text !== ''))];
    if (texts.length === 0) refuse('NO_NAMES');
    if (texts.length > MOST_NAMES) refuse('MANY_NAMES', { n: MOST_NAMES });
    const own = new Set(await this.of(account));
    const names = texts.map((text) => {
      const domain = readDomain(text);
      const name = typeof domain === 'string' ? text : domain.name;
      if (!own.has(name)) refuse('NOT_BOUND', { domain: name.slice(0, 253) });
      if (name.startsWith('*')) refuse('WILDCARD', { domain: name });
      return typeof domain === 'string' ? refuse('LOCAL', { domain: name }) : name;
    });
    return [...new Set(names)].sort();
  }
}

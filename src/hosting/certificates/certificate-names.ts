import { Injectable } from '@nestjs/common';

import { DomainRepository, readDomain } from '../domains/index.js';
import type { HostingAccount } from '../entities/index.js';
import { SitesAddress } from '../sites-address.js';

import { refuse } from './certificate-errors.js';

/** Maximum number of names per order; authorities allow 100. */
export const MAX_NAMES = 50;

/** The names a site's certificate may have: its domains and its own name. */
@Injectable()
export class CertificateNames {
  constructor(
    private readonly domains: DomainRepository,
    private readonly sites: SitesAddress,
  ) {}

  /** Returns all names of a site, including wildcards; its own name is the last. */
  async of(account: Pick<HostingAccount, 'id' | 'username'>): Promise<string[]> {
    const bound = (await this.domains.all(account.id)).map(({ name }) => name);
    return [...new Set([...bound, this.sites.nameOf(account.username)])];
  }

  /** Returns the names that can be ordered: wildcards need a DNS challenge, and local names have no public meaning. */
  async orderable(account: Pick<HostingAccount, 'id' | 'username'>): Promise<string[]> {
    return (await this.of(account)).filter((name) => !name.startsWith('*') && typeof readDomain(name) !== 'string');
  }

  /**
   * Normalizes the names requested for a certificate.
   *
   * @throws CertificateError NO_NAMES, MANY_NAMES, NOT_BOUND, WILDCARD, LOCAL
   */
  async wanted(account: Pick<HostingAccount, 'id' | 'username'>, given: readonly string[]): Promise<string[]> {
    const texts = [...new Set(given.map((text) => text.trim().toLowerCase()).filter((text) => text !== ''))];
    if (texts.length === 0) refuse('NO_NAMES');
    if (texts.length > MAX_NAMES) refuse('MANY_NAMES', { n: MAX_NAMES });
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

import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

import { Database } from '../../database/index.js';
import { type HostingAccount, HostingNode } from '../entities/index.js';
import { SitesAddress } from '../sites-address.js';

import { storedDomain } from './domain-name.js';
import { DomainRecords } from './domain-records.js';

/** Where a domain has to lead: a record of this type with this value; null where nobody told the panel. */
export interface DomainTarget {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly value: string;
}

/**
 * What name servers say of a domain: it leads here, elsewhere (`found` says where), nowhere; `unanswered`: they did not say in time;
 * `unknown`: it leads to `found`, and the panel was not told where it should.
 */
export interface DomainCheckResult {
  readonly state: 'here' | 'elsewhere' | 'missing' | 'unanswered' | 'unknown';
  readonly found: readonly string[];
}

/** Looks whether domains lead to the server of their site. */
@Injectable()
export class DomainCheck {
  constructor(
    private readonly database: Database,
    private readonly records: DomainRecords,
    private readonly sites: SitesAddress,
  ) {}

  /**
   * Where the domains of an account have to lead: what its server says, else its address, else the site's own
   * name where others can find that.
   */
  async target(account: Pick<HostingAccount, 'nodeCode' | 'username'>): Promise<DomainTarget | null> {
    return (await this.ofServer(account.nodeCode)) ?? this.ofSite(account);
  }

  /** Where the domains of all accounts of a server have to lead; null: each to its own site's name. */
  async ofServer(code: string): Promise<DomainTarget | null> {
    const node = await this.database.repository(HostingNode).findOneBy({ code });
    const told = [node?.dnsTarget ?? '', node?.driver === 'embedded' ? '' : (node?.address ?? '')].map(hostOf).find((host) => host !== '');
    return told === undefined ? null : targetOf(told);
  }

  /** The site's own name; null where others cannot find it. */
  ofSite({ username }: Pick<HostingAccount, 'username'>): DomainTarget | null {
    return /(^|\.)localhost$/.test(this.sites.domain) ? null : { type: 'CNAME', value: this.sites.nameOf(username) };
  }

  /** @param name as it is bound; of a wildcard a name nobody has set by itself is looked at */
  async look(name: string, target: DomainTarget | null): Promise<DomainCheckResult> {
    const { isWildcard, base } = storedDomain(name);
    const asked = isWildcard ? `check-${randomBytes(5).toString('hex')}.${base}` : base;
    const [aliases, found] = await Promise.all([this.records.find(asked, 'CNAME'), this.records.addresses(asked)]);
    if (found === null) return { state: 'unanswered', found: [] };
    const seen = [...(aliases ?? []), ...found];
    if (found.length === 0) return { state: 'missing', found: seen };
    if (target === null) return { state: 'unknown', found: seen };
    if (aliases?.includes(target.value)) return { state: 'here', found: seen };
    const wanted = target.type === 'CNAME' ? await this.records.addresses(target.value) : [target.value];
    if (wanted === null) return { state: 'unanswered', found: seen };
    const here = new Set(wanted.map(plain));
    return { state: found.some((address) => here.has(plain(address))) ? 'here' : 'elsewhere', found: seen };
  }
}

/** The host of what an administrator wrote: a name, an address, either with a port or as an address of a page. */
function hostOf(text: string): string {
  const bare = text.trim().toLowerCase();
  if (ipaddr.isValid(bare)) return bare;
  const host = /^(?:https?:\/\/)?(?:\[([0-9a-f:.]+)\]|([^\s/:]+))/.exec(bare);
  return (host?.[1] ?? host?.[2] ?? '').replace(/\.$/, '');
}

function targetOf(host: string): DomainTarget {
  if (!ipaddr.isValid(host)) return { type: 'CNAME', value: host };
  return { type: ipaddr.parse(host).kind() === 'ipv6' ? 'AAAA' : 'A', value: plain(host) };
}

/** One spelling of an address. */
const plain = (address: string): string => (ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address);

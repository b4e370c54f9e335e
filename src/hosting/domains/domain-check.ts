import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

import { Database } from '../../database/index.js';
import { type HostingAccount, HostingNode } from '../entities/index.js';
import { SitesAddress } from '../sites-address.js';

import { storedDomain } from './domain-name.js';
import { DomainRecords } from './domain-records.js';

/** The DNS record a domain must have; null if the panel does not know it. */
export interface DomainTarget {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly value: string;
}

/**
 * Result of a DNS check. `here` and `elsewhere`: the domain resolves to this server or to another (`found` lists its records); `missing`:
 * no records; `unanswered`: DNS timed out; `unknown`: it resolves, but the panel does not know the expected target.
 */
export interface DomainCheckResult {
  readonly state: 'here' | 'elsewhere' | 'missing' | 'unanswered' | 'unknown';
  readonly found: readonly string[];
}

/** Checks whether domains resolve to the server of their site. */
@Injectable()
export class DomainCheck {
  constructor(
    private readonly database: Database,
    private readonly records: DomainRecords,
    private readonly sites: SitesAddress,
  ) {}

  /**
   * Returns the expected target of an account's domains: the configured DNS target of its server, else the server's address, else the
   * site's own name if it can be resolved publicly.
   */
  async target(account: Pick<HostingAccount, 'nodeCode' | 'username'>): Promise<DomainTarget | null> {
    return (await this.ofServer(account.nodeCode)) ?? this.ofSite(account);
  }

  /** Returns the expected target of all domains of a server; null means the name of each site. */
  async ofServer(code: string): Promise<DomainTarget | null> {
    const node = await this.database.repository(HostingNode).findOneBy({ code });
    const configured = [node?.dnsTarget ?? '', node?.driver === 'embedded' ? '' : (node?.address ?? '')]
      .map(hostOf)
      .find((host) => host !== '');
    return configured === undefined ? null : targetOf(configured);
  }

  /** Returns the site's own name; null if it cannot be resolved publicly. */
  ofSite({ username }: Pick<HostingAccount, 'username'>): DomainTarget | null {
    return /(^|\.)localhost$/.test(this.sites.domain) ? null : { type: 'CNAME', value: this.sites.nameOf(username) };
  }

  /** @param name as it is bound; for a wildcard, a random name below it is checked */
  async check(name: string, target: DomainTarget | null): Promise<DomainCheckResult> {
    const { isWildcard, base } = storedDomain(name);
    const queried = isWildcard ? `check-${randomBytes(5).toString('hex')}.${base}` : base;
    const [aliases, found] = await Promise.all([this.records.find(queried, 'CNAME'), this.records.addresses(queried)]);
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

/** Extracts the host from what an administrator entered: a name or address, with or without port, or a URL. */
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

/** Normalizes an IP address. */
const plain = (address: string): string => (ipaddr.isValid(address) ? ipaddr.parse(address).toString() : address);

import { Injectable } from '@nestjs/common';
import { In, MoreThan, Not } from 'typeorm';

import { Database } from '../database/index.js';
import { DomainCheck, type DomainTarget, HostingAccount, SitesAddress } from '../hosting/index.js';
import { SiteSettings } from '../site/index.js';

import { DnsProvider } from './entities/index.js';
import { EntryRepository } from './entry-repository.js';
import { DnsError } from './errors.js';

const BATCH = 200;
type Host = Pick<HostingAccount, 'id' | 'username' | 'nodeCode'>;

/**
 * Publishes the sites' own names below `SITES_DOMAIN` at a provider, so that each points to its server; a wildcard record would point all
 * to one. Servers without a known address have no records; their sites rely on the wildcard record.
 */
@Injectable()
export class SiteNames {
  constructor(
    private readonly database: Database,
    private readonly settings: SiteSettings,
    private readonly address: SitesAddress,
    private readonly targets: DomainCheck,
    private readonly repository: EntryRepository,
  ) {}

  /** Domain of the names; null for a local domain, which cannot be published. */
  get domain(): string | null {
    const { domain } = this.address;
    return /(^|\.)localhost$/.test(domain) ? null : domain;
  }

  /** Id of the selected provider; 0 for none. */
  get providerId(): number {
    return this.domain === null ? 0 : this.settings.current.siteNamesProvider;
  }

  /** Selects the provider; 0 removes the present records. @throws DnsError SITES_LOCAL, MISSING */
  async choose(providerId: number): Promise<void> {
    if (this.domain === null) throw new DnsError('SITES_LOCAL');
    await this.settings.changeFrom(async () => {
      // Its removal holds the settings lock also, so it cannot disappear in between.
      const isThere = providerId === 0 || (await this.database.repository(DnsProvider).existsBy({ id: providerId }));
      if (!isThere) throw new DnsError('MISSING', {}, { provider_id: 'dns.provider_missing' });
      return { siteNamesProvider: providerId };
    });
  }

  /** Stores the desired record of every host. */
  async want(signal?: AbortSignal): Promise<void> {
    const { providerId } = this;
    const servers = new Map<string, Promise<DomainTarget | null>>();
    for (let after = 0; providerId > 0;) {
      signal?.throwIfAborted();
      const hosts = await this.hosts({ id: MoreThan(after) });
      const names = hosts.map(({ username }) => this.address.nameOf(username));
      const present = new Map((await this.repository.byNames(names)).map((entry) => [entry.name, entry]));
      for (const host of hosts) {
        const name = this.address.nameOf(host.username);
        const target = await this.target(host, servers);
        if (target) await this.repository.want(name, { providerId, ...target }, present.get(name));
      }
      if (hosts.length < BATCH) return;
      after = hosts.at(-1)!.id;
    }
  }

  /** Returns which names belong to hosts and are published. @param names at most one batch */
  async kept(names: readonly string[]): Promise<Set<string>> {
    const under = `.${this.address.domain}`;
    const keys = names.filter((name) => name.endsWith(under)).map((name) => name.slice(0, -under.length));
    if (this.providerId === 0 || keys.length === 0) return new Set();
    const servers = new Map<string, Promise<DomainTarget | null>>();
    const kept = new Set<string>();
    for (const host of await this.hosts({ userKey: In(keys) })) {
      if (await this.target(host, servers)) kept.add(this.address.nameOf(host.username));
    }
    return kept;
  }

  private hosts(where: object): Promise<Host[]> {
    return this.database.repository(HostingAccount).find({
      select: { id: true, username: true, nodeCode: true },
      where: { ...where, state: Not(In(['terminating', 'failed'])) },
      order: { id: 'ASC' },
      take: BATCH,
    });
  }

  private async target({ nodeCode, username }: Host, servers: Map<string, Promise<DomainTarget | null>>): Promise<DomainTarget | null> {
    const lookup = servers.get(nodeCode) ?? this.targets.ofServer(nodeCode);
    servers.set(nodeCode, lookup);
    const target = await lookup;
    // A server identified by the name of one of its sites: that name cannot point to itself.
    return target?.value === this.address.nameOf(username) ? null : target;
  }
}

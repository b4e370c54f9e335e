import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';

import { Database } from '../database/index.js';
import { DomainCheck, type DomainTarget, HostingAccount, NameRepository, SaleDomain, SoldName } from '../hosting/index.js';

import { OwnDnsRecord } from './entities/index.js';
import { EntryRepository, type WantedEntry } from './entry-repository.js';
import { SiteNames } from './site-names.js';

const BATCH = 200;
const NOWHERE: WantedEntry = { providerId: 0, type: '', value: '' };

/**
 * Computes the desired records: one per sold name of a domain published at a provider while a host uses it, and one per site name if those
 * are published.
 */
@Injectable()
export class WantedEntries {
  constructor(
    private readonly database: Database,
    private readonly names: NameRepository,
    private readonly targets: DomainCheck,
    private readonly repository: EntryRepository,
    private readonly sites: SiteNames,
  ) {}

  /** Stores the desired records. Safe to run in several processes at the same time. */
  async follow(signal?: AbortSignal): Promise<void> {
    const zones = await this.database.repository(SaleDomain).find({ where: { channel: 'dnsapi' }, order: { id: 'ASC' } });
    const providers = new Map(zones.map(({ id, providerId }) => [id, providerId]));
    const servers = new Map<string, Promise<DomainTarget | null>>();
    for (let after = 0; providers.size > 0;) {
      signal?.throwIfAborted();
      const rows = await this.names.sold(after, BATCH);
      await this.want(
        rows.filter(({ zoneId, accountId }) => accountId !== null && (providers.get(zoneId) ?? 0) > 0),
        providers,
        servers,
      );
      if (rows.length < BATCH) break;
      after = rows.at(-1)!.id;
    }
    await this.sites.want(signal);
    const own = await this.wantOwn(providers, signal);
    await this.dropOthers(providers, own, signal);
  }

  private async want(
    names: readonly SoldName[],
    providers: ReadonlyMap<number, number>,
    servers: Map<string, Promise<DomainTarget | null>>,
  ): Promise<void> {
    if (names.length === 0) return;
    const ids = names.map(({ accountId }) => accountId!);
    const hosts = await this.database
      .repository(HostingAccount)
      .find({ select: { id: true, username: true, nodeCode: true }, where: { id: In(ids) } });
    const byId = new Map(hosts.map((host) => [host.id, host]));
    const present = new Map((await this.repository.byNames(names.map(({ name }) => name))).map((entry) => [entry.name, entry]));
    for (const { name, zoneId, accountId } of names) {
      const host = byId.get(accountId!);
      if (!host) continue;
      const { nodeCode } = host;
      const server = servers.get(nodeCode) ?? this.targets.ofServer(nodeCode);
      servers.set(nodeCode, server);
      const target = (await server) ?? this.targets.ofSite(host);
      await this.repository.want(
        name,
        { providerId: providers.get(zoneId)!, type: target?.type ?? '', value: target?.value ?? '' },
        present.get(name),
      );
    }
  }

  /** Stores owners' records while they have the name and it is published. @returns ids of the desired records */
  private async wantOwn(providers: ReadonlyMap<number, number>, signal?: AbortSignal): Promise<Set<number>> {
    const rows = this.database.repository(OwnDnsRecord);
    const wanted = new Set<number>();
    for (let after = 0; ;) {
      signal?.throwIfAborted();
      const own = await rows.find({ where: { id: MoreThan(after) }, order: { id: 'ASC' }, take: BATCH });
      const names = await this.database.repository(SoldName).findBy({ id: In(own.map(({ nameId }) => nameId)), state: 'sold' });
      const byId = new Map(names.map((row) => [row.id, row]));
      const present = new Map((await this.repository.bySlots(own.map(({ id }) => id))).map((entry) => [entry.slot, entry]));
      for (const { id, nameId, name, type, value, ttl } of own) {
        const sold = byId.get(nameId);
        const providerId = sold ? (providers.get(sold.zoneId) ?? 0) : 0;
        if (!sold) await rows.delete({ id });
        if (providerId === 0) continue;
        wanted.add(id);
        await this.repository.want(name, { providerId, type, value, ttl }, present.get(id), id);
      }
      if (own.length < BATCH) return wanted;
      after = own.at(-1)!.id;
    }
  }

  /** Removes records of released names, of domains that now use a wildcard record, and of deleted hosts. */
  private async dropOthers(providers: ReadonlyMap<number, number>, own: ReadonlySet<number>, signal?: AbortSignal): Promise<void> {
    for (let after = 0; ;) {
      signal?.throwIfAborted();
      const entries = await this.repository.after(after, BATCH);
      const names = entries.map(({ name }) => name);
      const sold = await this.database.repository(SoldName).findBy({ name: In(names), state: 'sold' });
      const kept = await this.sites.kept(names);
      for (const { name, accountId, zoneId } of sold) if (accountId !== null && (providers.get(zoneId) ?? 0) > 0) kept.add(name);
      for (const entry of entries) {
        if (entry.slot > 0 ? !own.has(entry.slot) && !(await this.isNew(entry.slot)) : !kept.has(entry.name))
          await this.repository.want(entry.name, { ...NOWHERE, ttl: entry.ttl }, entry, entry.slot);
      }
      if (entries.length < BATCH) return;
      after = entries.at(-1)!.id;
    }
  }

  /** Whether a record was added after the records were read. */
  private isNew(id: number): Promise<boolean> {
    return this.database
      .repository(OwnDnsRecord)
      .createQueryBuilder('o')
      .innerJoin('o.soldName', 'n', "n.state = 'sold'")
      .innerJoin('n.zone', 'z', "z.channel = 'dnsapi'")
      .where('o.id = :id', { id })
      .getExists();
  }
}

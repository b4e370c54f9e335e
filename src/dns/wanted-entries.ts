import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Database } from '../database/index.js';
import { DomainCheck, type DomainTarget, HostingAccount, NameBook, SaleDomain, SoldName } from '../hosting/index.js';

import { EntryBook, type WantedEntry } from './entry-book.js';

const BATCH = 200;
const NOWHERE: WantedEntry = { providerId: 0, type: '', value: '' };

/** Finds out what records there should be: one of each name below a domain whose names are entered at a provider, as long as a host belongs to it. */
@Injectable()
export class WantedEntries {
  constructor(
    private readonly database: Database,
    private readonly names: NameBook,
    private readonly targets: DomainCheck,
    private readonly book: EntryBook,
  ) {}

  /** Writes down what is wanted now. Any number of processes may do it at once. */
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
    await this.dropOthers(providers, signal);
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
    const present = new Map((await this.book.byNames(names.map(({ name }) => name))).map((entry) => [entry.name, entry]));
    for (const { name, zoneId, accountId } of names) {
      const host = byId.get(accountId!);
      if (!host) continue;
      const { nodeCode } = host;
      const server = servers.get(nodeCode) ?? this.targets.ofServer(nodeCode);
      servers.set(nodeCode, server);
      const target = (await server) ?? this.targets.ofSite(host);
      await this.book.want(
        name,
        { providerId: providers.get(zoneId)!, type: target?.type ?? '', value: target?.value ?? '' },
        present.get(name),
      );
    }
  }

  /** Names that were given up, and those whose domain has a wildcard record by now. */
  private async dropOthers(providers: ReadonlyMap<number, number>, signal?: AbortSignal): Promise<void> {
    for (let after = 0; ;) {
      signal?.throwIfAborted();
      const entries = await this.book.after(after, BATCH);
      const sold = await this.database.repository(SoldName).findBy({ name: In(entries.map(({ name }) => name)), state: 'sold' });
      const kept = new Set(sold.filter((row) => row.accountId !== null && (providers.get(row.zoneId) ?? 0) > 0).map(({ name }) => name));
      for (const entry of entries) if (!kept.has(entry.name)) await this.book.want(entry.name, NOWHERE, entry);
      if (entries.length < BATCH) return;
      after = entries.at(-1)!.id;
    }
  }
}

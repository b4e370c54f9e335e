import { Module, type OnModuleInit } from '@nestjs/common';

import { type NameDns, NameProviders, NamesModule } from '../hosting/index.js';

import { DnsKinds } from './dns-kinds.js';
import { DnsMaintenance } from './dns-maintenance.js';
import { DnsProviders } from './dns-providers.js';
import { DnsOperations } from './dns.operations.js';
import { DnsPages } from './dns.pages.js';
import { EntryRepository } from './entry-repository.js';
import { EntrySync } from './entry-sync.js';
import { OwnRecordOperations } from './own-record.operations.js';
import { OwnRecords } from './own-records.js';
import { SiteNameOperations } from './site-name.operations.js';
import { SiteNames } from './site-names.js';
import { WantedEntries } from './wanted-entries.js';

/** Publishes customers' names at DNS providers. */
@Module({
  imports: [NamesModule],
  controllers: [DnsPages],
  providers: [
    ...[DnsKinds, DnsProviders, EntryRepository, SiteNames, WantedEntries, EntrySync, DnsMaintenance],
    ...[DnsOperations, SiteNameOperations, OwnRecords, OwnRecordOperations],
  ],
  exports: [DnsKinds],
})
export class DnsModule implements OnModuleInit, NameDns {
  constructor(
    private readonly names: NameProviders,
    private readonly accounts: DnsProviders,
    private readonly repository: EntryRepository,
  ) {}

  onModuleInit(): void {
    this.names.serve(this);
  }

  async providers() {
    return (await this.accounts.all()).map(({ id, name }) => ({ id, name }));
  }

  async states(names: readonly string[]) {
    return new Map((await this.repository.byNames(names)).map(({ name, state }) => [name, state]));
  }
}

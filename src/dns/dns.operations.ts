import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, translate, type Locale } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { versionOf } from '../http/index.js';
import { ListInput, ListReply, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { DnsIdInput, DnsEntryListInput, SaveProviderInput } from './dns-inputs.js';
import { DnsProviders } from './dns-providers.js';
import { type DnsEntry, type DnsProvider, valueOf } from './entities/index.js';
import { EntryRepository } from './entry-repository.js';
import { OwnRecords } from './own-records.js';

/** Administrators' operations on DNS provider accounts and records. Source: docs/panel-api.md "Names at the DNS". */
@Injectable()
export class DnsOperations {
  constructor(
    private readonly providers: DnsProviders,
    private readonly repository: EntryRepository,
    private readonly own: OwnRecords,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'p_dns_provider_list', auth: 'admin', input: ListInput, audit: null, rate: 'read' })
  async list(_input: ListInput, ctx: CallContext): Promise<ListReply> {
    const rows = await this.providers.all();
    return new ListReply(
      rows.length,
      rows.map((row) => this.providerRow(row, localeOf(ctx.locale))),
    );
  }

  /** @throws StaleForm */
  @Operation({ side: 'admin', gn: 'p_dns_provider_save', auth: 'admin', input: SaveProviderInput, audit: 'dns.audit_saved', rate: 'write' })
  async save({ id, slug, name, cs, row_version }: SaveProviderInput): Promise<SuccessReply> {
    const settings = Object.fromEntries(Object.entries(cs).map(([field, value]) => [field, value === null ? '' : String(value)]));
    const next = id > 0 ? await this.providers.change(id, { name, settings }, row_version) : {};
    const saved = id > 0 ? id : await this.providers.add(slug, { name, settings });
    return new SuccessReply('dns.saved', { id: saved, ...next }, { name });
  }

  @Operation({ side: 'admin', gn: 'p_dns_provider_delete', auth: 'admin', input: DnsIdInput, audit: 'dns.audit_removed', rate: 'write' })
  async remove({ id }: DnsIdInput): Promise<SuccessReply> {
    const { name } = await this.providers.remove(id);
    return new SuccessReply('dns.removed', {}, { name });
  }

  /** @throws DnsProblem describing the failure */
  @Operation({ side: 'admin', gn: 'p_dns_provider_test', auth: 'admin', input: DnsIdInput, audit: 'dns.audit_tested', rate: 'expensive' })
  async test({ id }: DnsIdInput): Promise<SuccessReply> {
    const provider = await this.providers.find(id);
    const zones = await this.providers.check(provider);
    const params = { name: provider.name, zones: zones.join(', ') };
    return new SuccessReply(zones.length > 0 ? 'dns.tested' : 'dns.tested_none', { zones }, params);
  }

  @Operation({ side: 'admin', gn: 'p_dns_record_list', auth: 'admin', input: DnsEntryListInput, audit: null, rate: 'read' })
  async records({ state, page, limit }: DnsEntryListInput, ctx: CallContext): Promise<ListReply> {
    const { total, rows } = await this.repository.page(state ?? null, (page - 1) * limit, limit);
    const providers = new Map((await this.providers.all()).map(({ id, name }) => [id, name]));
    return new ListReply(
      total,
      rows.map((row) => this.entryRow(row, providers, localeOf(ctx.locale))),
    );
  }

  /** Processes a record immediately, ignoring retry delays. */
  @Operation({ side: 'admin', gn: 'p_dns_record_retry', auth: 'admin', input: DnsIdInput, audit: 'dns.audit_retried', rate: 'write' })
  async retry({ id }: DnsIdInput): Promise<SuccessReply> {
    const entry = await this.repository.scheduleNow(id);
    await this.providers.clearDelays([entry.providerId, entry.ownProviderId]);
    return new SuccessReply('dns.retried', {}, { name: entry.name });
  }

  /** Deletes a customer's own record; records that point names to hosts are deleted with the name. */
  @Operation({
    side: 'admin',
    gn: 'p_dns_record_delete',
    auth: 'admin',
    input: DnsIdInput,
    audit: 'dns.audit_record_removed',
    rate: 'write',
  })
  async removeRecord({ id }: DnsIdInput): Promise<SuccessReply> {
    const { name } = await this.own.removeEntry(id);
    return new SuccessReply('dns.record_removed', {}, { name });
  }

  private providerRow(row: DnsProvider, locale: Locale): Record<string, unknown> {
    const { id, slug, name, zones, problem, problemParams, retryAt, workedAt, createdAt } = row;
    const kind = this.providers.kindOf(row);
    const state = problem !== '' ? 'failing' : workedAt === null ? 'untested' : 'works';
    const off = this.providers.offProblem(row);
    return {
      id,
      slug,
      kind: kind?.title(locale) ?? slug,
      name,
      zones: zones?.join(', ') ?? '',
      state: kind ? state : 'failing',
      problem: off ? translate(locale, off.key, off.params) : problemText(locale, problem, problemParams),
      retry_at: this.time(retryAt),
      worked_at: this.time(workedAt),
      date: this.time(createdAt),
      row_version: versionOf(this.providers.formOf(row)),
    };
  }

  private entryRow(row: DnsEntry, providers: ReadonlyMap<number, string>, locale: Locale): Record<string, unknown> {
    const { id, name, type, slot, providerId, ownProviderId, state, problem, problemParams, dueAt, changedAt } = row;
    const value = valueOf(row);
    const goes = providerId === 0;
    return {
      id,
      name,
      record: goes ? '' : `${type} ${value}`.trim(),
      type,
      value,
      auto: slot === 0 ? '1' : '0',
      provider: providers.get(goes ? ownProviderId : providerId) ?? '',
      provider_id: providerId,
      state: goes && state === 'waiting' ? 'leaving' : state,
      problem: state === 'done' ? '' : problemText(locale, problem, problemParams),
      // Note of a record that is up to date.
      note: state === 'done' ? problemText(locale, problem, problemParams) : '',
      next_at: this.time(dueAt),
      date: this.time(changedAt),
    };
  }

  private time(moment: Date | null): string {
    return moment === null ? '' : legacyTime(moment, this.config.timezone);
  }
}

const problemText = (locale: Locale, problem: string, params: Record<string, string | number> | null): string =>
  problem === '' ? '' : translate(locale, `dns.problem_${problem}`, params ?? {});

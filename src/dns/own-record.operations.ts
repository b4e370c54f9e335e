import { Injectable } from '@nestjs/common';

import { legacyTime, localeOf, translate } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { SiteAccess } from '../hosting/index.js';
import { versionOf } from '../http/index.js';
import { ListReply, Operation, SuccessReply } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AddRecordInput, ChangeRecordInput, DnsIdInput, OwnRecordListInput } from './dns-inputs.js';
import type { DnsEntry, OwnDnsRecord } from './entities/index.js';
import { EntryRepository } from './entry-repository.js';
import { OwnRecords, recordForm } from './own-records.js';

/** Operations of host owners on records of their names. Source: docs/panel-api.md "Names at the DNS". */
@Injectable()
export class OwnRecordOperations {
  constructor(
    private readonly access: SiteAccess,
    private readonly records: OwnRecords,
    private readonly repository: EntryRepository,
    private readonly config: AppConfig,
  ) {}

  /** Lists the caller's own records; the first page starts with the records of the names themselves. */
  @Operation({ side: 'user', gn: 'p_dns_record_list', auth: 'user', input: OwnRecordListInput, audit: null, rate: 'read' })
  async list({ domain, type, page, limit }: OwnRecordListInput, ctx: CallContext): Promise<ListReply> {
    const { account } = await this.access.ofOwner(ctx, 'read');
    const names = (await this.records.domainsOf(account)).filter(({ name }) => domain === '' || name === domain);
    const [rows, total] = await this.records.page(names, type ?? null, (page - 1) * limit, limit);
    const entries = await this.records.entries(rows);
    const byId = new Map(names.map(({ id, name }) => [id, name]));
    const shown = rows.map((row) => this.row(row, byId.get(row.nameId) ?? '', entries.get(row.id), ctx));
    const own = await this.repository.byNames(names.map(({ name }) => name));
    const fixed = own.filter((entry) => entry.type !== '' && (type === undefined || entry.type === type));
    const first = page === 1 ? fixed.map((entry) => ({ ...this.stateOf(entry, ctx), ...fixedRow(entry) })) : [];
    return new ListReply(total + fixed.length, [...first, ...shown]);
  }

  @Operation({ side: 'user', gn: 'p_dns_record_add', auth: 'user', input: AddRecordInput, audit: 'dns.audit_record_added', rate: 'write' })
  async add({ domain, name, type, value, ttl }: AddRecordInput, ctx: CallContext): Promise<SuccessReply> {
    const { account } = await this.access.ofOwner(ctx, 'change');
    const row = await this.records.add(account, domain, name, type, { value, ttl });
    return new SuccessReply('dns.record_added', { id: row.id }, { name: row.name });
  }

  /** @throws StaleForm */
  @Operation({
    side: 'user',
    gn: 'p_dns_record_save',
    auth: 'user',
    input: ChangeRecordInput,
    audit: 'dns.audit_record_saved',
    rate: 'write',
  })
  async change({ id, value, ttl, row_version }: ChangeRecordInput, ctx: CallContext): Promise<SuccessReply> {
    const { account } = await this.access.ofOwner(ctx, 'change');
    const { name } = await this.records.change(account, id, { value, ttl }, row_version);
    return new SuccessReply('dns.record_saved', {}, { name });
  }

  @Operation({ side: 'user', gn: 'p_dns_record_delete', auth: 'user', input: DnsIdInput, audit: 'dns.audit_record_removed', rate: 'write' })
  async remove({ id }: DnsIdInput, ctx: CallContext): Promise<SuccessReply> {
    const { account } = await this.access.ofOwner(ctx, 'change');
    const { name } = await this.records.remove(account, id);
    return new SuccessReply('dns.record_removed', {}, { name });
  }

  private row(row: OwnDnsRecord, domain: string, entry: DnsEntry | undefined, ctx: CallContext): Record<string, unknown> {
    const { id, name, type, value, ttl, createdAt } = row;
    const date = legacyTime(createdAt, this.config.timezone);
    return { id, domain, name, type, value, ttl, auto: '0', date, row_version: versionOf(recordForm(row)), ...this.stateOf(entry, ctx) };
  }

  private stateOf(entry: DnsEntry | undefined, ctx: CallContext): { state: string; problem: string } {
    if (!entry) return { state: 'waiting', problem: '' };
    const { state, problem, problemParams } = entry;
    const reason = problem === '' || state === 'done' ? '' : translate(localeOf(ctx.locale), `dns.problem_${problem}`, problemParams ?? {});
    return { state, problem: reason };
  }
}

/** The record that points a name to its host; managed by the panel and not editable. */
const fixedRow = ({ name, type, value, ttl }: DnsEntry) => ({ id: 0, domain: name, name, type, value, ttl, auto: '1', date: '' });

import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../common/index.js';
import { Database } from '../database/index.js';
import { checkVersion, type FormValues } from '../http/index.js';
import { type HostingAccount, NameRepository, ownerOf, type SaleDomain, type SoldName, Zones } from '../hosting/index.js';

import { DnsEntry, OwnDnsRecord, type OwnType } from './entities/index.js';
import { EntryRepository } from './entry-repository.js';
import { type DnsErrorCode, DnsError } from './errors.js';
import { isServiceName, readRecordName, readRecordValue } from './record-rules.js';

/** Editable fields of a record. */
export interface RecordDraft {
  readonly value: string;
  /** Seconds. */
  readonly ttl: number;
}

/** Maximum number of records per name. */
export const MAX_OWN_RECORDS = 20;
/** Maximum number of names considered in one list. */
const MAX_NAMES = 500;
/** Types that direct visitors; at the name itself they are reserved for the panel. */
const LEADING: readonly string[] = ['A', 'AAAA', 'CNAME'];

type Host = Pick<HostingAccount, 'id' | 'ownerId'>;

/** Manages customers' own records below their names. */
@Injectable()
export class OwnRecords {
  constructor(
    private readonly database: Database,
    private readonly names: NameRepository,
    private readonly zones: Zones,
    private readonly repository: EntryRepository,
    private readonly clock: Clock,
  ) {}

  private get rows() {
    return this.database.repository(OwnDnsRecord);
  }

  /** Returns the names of a host's owner that support own records. */
  async domainsOf(host: Host): Promise<SoldName[]> {
    const { rows } = await this.names.of(ownerOf(host), 0, MAX_NAMES);
    const zones = await this.zones.byId(rows.map(({ zoneId }) => zoneId));
    return rows.filter(({ zoneId }) => zones.get(zoneId)?.channel === 'dnsapi');
  }

  /** Returns a page of the owner's records of some names. */
  page(names: readonly SoldName[], type: OwnType | null, offset: number, limit: number): Promise<[OwnDnsRecord[], number]> {
    const where = { nameId: In(names.map(({ id }) => id)), ...(type === null ? {} : { type }) };
    return this.rows.findAndCount({ where, order: { id: 'ASC' }, skip: offset, take: limit });
  }

  /** Returns their states at the providers, by record id. */
  async entries(records: readonly OwnDnsRecord[]): Promise<Map<number, DnsEntry>> {
    const found = await this.repository.bySlots(records.map(({ id }) => id));
    return new Map(found.map((entry) => [entry.slot, entry]));
  }

  /** @throws DnsError NOT_YOURS, WILDCARD, NO_PROVIDER, NAME_FORM, SERVICE_NAME, VALUE_FORM, AT_NAME, BESIDE_CNAME, ALONE, TWICE, MANY */
  async add(host: Host, domain: string, name: string, type: OwnType, { value, ttl }: RecordDraft): Promise<OwnDnsRecord> {
    const sold = await this.ownName(host, domain);
    const zone = await this.publishedZone(sold);
    const whole = readRecordName(name, sold.name) ?? refuse('NAME_FORM', 'name');
    if (type === 'SRV' && !isServiceName(whole)) refuse('SERVICE_NAME', 'name');
    const read = readRecordValue(type, value) ?? refuse('VALUE_FORM', 'value');
    return this.withLock(sold, async () => {
      await this.checkAtName(sold, whole, type);
      await this.checkConflicts(sold, { name: whole, type, value: read }, 0);
      if ((await this.rows.countBy({ nameId: sold.id })) >= MAX_OWN_RECORDS) refuse('MANY', 'name', { n: MAX_OWN_RECORDS });
      const row = this.rows.create({ nameId: sold.id, name: whole, type, value: read, ttl, createdAt: this.clock.now() });
      await this.rows.insert(row);
      await this.repository.want(row.name, { providerId: zone.providerId, type, value: read, ttl }, undefined, row.id);
      this.database.noteChange(subject(row.id), null, noted(row));
      return row;
    });
  }

  /**
   * Changes value and TTL.
   *
   * @param version of the submitted form
   * @throws DnsError RECORD_MISSING, VALUE_FORM, TWICE, WILDCARD, NO_PROVIDER; StaleForm
   */
  async change(host: Host, id: number, { value, ttl }: RecordDraft, version?: string): Promise<OwnDnsRecord> {
    const { row, sold } = await this.ownRecord(host, id);
    await this.publishedZone(sold);
    const read = readRecordValue(row.type, value) ?? refuse('VALUE_FORM', 'value');
    return this.withLock(sold, async () => {
      const present = await this.rows.findOneBy({ id });
      if (!present) throw new DnsError('RECORD_MISSING');
      checkVersion(version, recordForm(present));
      await this.checkConflicts(sold, { ...row, value: read }, row.id);
      await this.rows.update({ id }, { value: read, ttl });
      this.database.noteChange(subject(id), noted(present), noted({ ...row, value: read, ttl }));
      return { ...row, value: read, ttl };
    });
  }

  /** @throws DnsError RECORD_MISSING */
  async remove(host: Host, id: number): Promise<OwnDnsRecord> {
    return this.drop((await this.ownRecord(host, id)).row);
  }

  /**
   * Deletes a record of any customer, for administrators. @param entryId id in the list of records @throws DnsError ENTRY_MISSING,
   * ENTRY_OF_NAME
   */
  async removeEntry(entryId: number): Promise<DnsEntry> {
    const entry = await this.repository.find(entryId);
    if (entry.slot === 0) throw new DnsError('ENTRY_OF_NAME');
    const row = await this.rows.findOneBy({ id: entry.slot });
    if (row) await this.drop(row);
    return entry;
  }

  private async drop(row: OwnDnsRecord): Promise<OwnDnsRecord> {
    return this.database.transaction(async () => {
      await this.rows.delete({ id: row.id });
      const [entry] = await this.repository.bySlots([row.id]);
      if (entry) await this.repository.want(entry.name, { providerId: 0, type: '', value: '' }, entry, row.id);
      this.database.noteChange(subject(row.id), noted(row), null);
      return row;
    });
  }

  private async ownName(host: Host, domain: string): Promise<SoldName> {
    const row = await this.names.byName(domain.trim().toLowerCase().replace(/\.$/, ''));
    const { accountId, customerId } = ownerOf(host);
    const isHis = row?.state === 'sold' && (row.accountId === accountId || (customerId !== null && row.customerId === customerId));
    return isHis ? row : refuse('NOT_YOURS', 'domain');
  }

  private async ownRecord(host: Host, id: number): Promise<{ row: OwnDnsRecord; sold: SoldName }> {
    const row = await this.rows.findOneBy({ id });
    const sold = row && (await this.names.byId(row.nameId));
    const { accountId, customerId } = ownerOf(host);
    if (!row || sold?.state !== 'sold') throw new DnsError('RECORD_MISSING');
    if (sold.accountId !== accountId && (customerId === null || sold.customerId !== customerId)) throw new DnsError('RECORD_MISSING');
    return { row, sold };
  }

  /** @throws DnsError WILDCARD, NO_PROVIDER */
  private async publishedZone({ zoneId }: SoldName): Promise<SaleDomain> {
    const zone = (await this.zones.byId([zoneId])).get(zoneId);
    if (zone?.channel !== 'dnsapi') refuse('WILDCARD', 'domain');
    return zone.providerId > 0 ? zone : refuse('NO_PROVIDER', 'domain');
  }

  /** Records that direct visitors at the name itself are managed by the panel. */
  private async checkAtName(sold: SoldName, name: string, type: OwnType): Promise<void> {
    if (name !== sold.name) return;
    if (LEADING.includes(type)) refuse('AT_NAME', 'name');
    const [entry] = await this.repository.byNames([name]);
    if (entry?.type === 'CNAME') refuse('BESIDE_CNAME', 'name');
  }

  private async checkConflicts(sold: SoldName, wanted: Pick<OwnDnsRecord, 'name' | 'type' | 'value'>, except: number): Promise<void> {
    const beside = (await this.rows.findBy({ nameId: sold.id, name: wanted.name })).filter(({ id }) => id !== except);
    if (beside.some(({ type, value }) => type === wanted.type && value === wanted.value)) refuse('TWICE', 'value');
    if (beside.some(({ type }) => type === 'CNAME' || wanted.type === 'CNAME')) refuse('ALONE', 'type');
  }

  /** Runs work while holding the lock of the name's records. */
  private withLock<Result>({ id }: SoldName, work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async () => {
      await this.database.lockRow('SoldName', 'id', id);
      return work();
    });
  }
}

/** Returns the form fields of a record. */
export const recordForm = ({ value, ttl }: RecordDraft): FormValues => ({ value, ttl });

const subject = (id: number) => ({ of: 'dns_record', id });
const noted = ({ name, type, value, ttl }: Pick<OwnDnsRecord, 'name' | 'type' | 'value' | 'ttl'>) => ({
  name,
  record_type: type,
  value,
  ttl,
});

function refuse(code: DnsErrorCode, field: string, params: Record<string, number> = {}): never {
  const error = new DnsError(code, params);
  throw new DnsError(code, params, { [field]: { key: error.shape.text, params } });
}

import { Clock } from '../../common/index.js';
import { DnsEntry, EntryRepository, isOwnType, OwnDnsRecord, type OwnType, readRecordName, readRecordValue } from '../../dns/index.js';

import type { ImportContext, ImportedName, ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';
import { convertRows } from './rows.js';

const WHAT = 'DNS records';
/** Range of the TTL in seconds. */
const TTL = { least: 600, most: 86_400 } as const;

/** A record to import, with its id at the provider. */
interface Taken {
  readonly sold: ImportedName;
  readonly name: string;
  readonly type: OwnType;
  readonly value: string;
  readonly ttl: number;
  readonly remoteId: string;
  /** Whether the panel itself creates it, to point the name to its host. */
  readonly isPanels: boolean;
  readonly createdAt: Date;
}

/** Imports records of sold names at imported providers; the existing records at the provider are from then on managed by this panel. */
export const dnsRecords: ImportPart = {
  table: 'plg_dns_record',
  isPlugins: true,
  needs: ['domain', 'type', 'value'],
  what: WHAT,
  nameOf: (row) => `${row.text('name')}.${row.text('domain')}`,
  async take(rows, context) {
    const { database, report } = context;
    const repository = new EntryRepository(database, new Clock());
    for (const record of convertRows(dnsRecords, rows, context, (row) => recordOf(row, context))) {
      const { name, type, value, ttl, sold, remoteId, createdAt } = record;
      const slot = record.isPanels ? 0 : await ownRecord({ nameId: sold.id, name, type, value, ttl, createdAt }, context);
      if (slot === null || (slot === 0 && (await repository.byNames([name])).length > 0)) {
        report.skip(WHAT, 'it occurs twice', `${type} ${name}`);
        continue;
      }
      const { providerId } = sold.zone;
      await repository.want(name, { providerId, type, value, ttl }, undefined, slot);
      if (remoteId !== '')
        await database
          .repository(DnsEntry)
          .update({ name, slot }, { ownProviderId: providerId, own: { type, values: [value], id: remoteId } });
      report.add(WHAT);
    }
  },
};

/** Inserts a user record. @returns its id; null for a duplicate */
async function ownRecord(row: Omit<OwnDnsRecord, 'id' | 'soldName'>, { database }: ImportContext): Promise<number | null> {
  const repository = database.repository(OwnDnsRecord);
  const existing = await repository.findBy({ nameId: row.nameId, name: row.name, type: row.type });
  if (existing.some(({ value }) => value === row.value)) return null;
  const { identifiers } = await repository.insert(row);
  return Number(identifiers[0]!.id);
}

function recordOf(row: LegacyRow, { names, accounts, zone, now }: ImportContext): Taken {
  const domain = row.text('domain').trim().toLowerCase();
  const name = readRecordName(row.text('name'), domain);
  const sold = name === null ? undefined : soldAround(name, names);
  if (name === null || sold === undefined) throw new SkippedRow('its name was not imported');
  if (accounts.get(row.text('user').trim().toLowerCase())?.id !== sold.accountId)
    throw new SkippedRow('it belongs to another host than its name');
  if (sold.zone.channel !== 'dnsapi' || sold.zone.providerId === 0) throw new SkippedRow('its provider was not imported');
  if (row.text('qk') === 'false') throw new SkippedRow('it is disabled');
  const type = row.text('type').trim().toUpperCase();
  const value = isOwnType(type) ? readRecordValue(type, row.text('value')) : null;
  if (!isOwnType(type) || value === null) throw new SkippedRow('its type or value is not supported');
  const isPanels = name === sold.name && ['A', 'AAAA', 'CNAME'].includes(type);
  const ttl = Math.min(Math.max(row.integer('ttl'), TTL.least), TTL.most);
  const remoteId = row.short('remote_id', 64).trim();
  return { sold, name, type, value, ttl, remoteId, isPanels, createdAt: row.moment('created_at', zone, now) };
}

/** Finds the sold name a record belongs to: its own name or a parent domain. */
function soldAround(name: string, names: ImportContext['names']): (ImportedName & { readonly name: string }) | undefined {
  for (let at = name; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
    const found = names.get(at);
    if (found) return { ...found, name: at };
  }
  return undefined;
}

import { toFen } from '../../common/index.js';
import { readDomain, SaleDomain, DEFAULT_TERMS } from '../../hosting/index.js';

import type { ImportContext, ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';
import { convertRows } from './rows.js';

const WHAT = 'domains for sale';

/** Domains whose subdomains are sold: of the panel itself, and of its later plugin `domain_shop`. */
export const nameZones: readonly ImportPart[] = [zonesIn('ym'), zonesIn('plg_domain_product', true)];

function zonesIn(table: string, isPlugins = false): ImportPart {
  const part: ImportPart = {
    table,
    isPlugins,
    needs: ['url', 'jg'],
    what: WHAT,
    nameOf: (row) => row.text('url'),
    async take(rows, context) {
      const { database, report, zones } = context;
      const repository = database.repository(SaleDomain);
      for (const zone of convertRows(part, rows, context, (row) => zoneOf(row, context))) {
        if ([...zones.keys()].some((other) => isAround(other, zone.domain))) {
          report.skip(WHAT, 'this domain, or one that contains it, already exists', zone.domain);
          continue;
        }
        const { identifiers } = await repository.insert(zone);
        zones.set(zone.domain, { ...zone, id: Number(identifiers[0]!.id) });
        report.add(WHAT);
        if (zone.channel === 'dnsapi' && zone.providerId === 0)
          report.addNote('domains for sale: choose a DNS provider (Names)', zone.domain);
      }
    },
  };
  return part;
}

/** Terms unknown to the other panel get their defaults; its sold names do not expire. */
function zoneOf(row: LegacyRow, { servers, dnsProviders, zone, now }: ImportContext) {
  const read = readDomain(row.short('url', 128));
  if (typeof read === 'string' || read.isWildcard) throw new SkippedRow('its name (url) is not a domain');
  // The panel's column for the server is `bt`, the plugin's `btdh`.
  const nodeCode = servers.get((row.text('btdh') || row.text('bt')).trim().toLowerCase());
  if (nodeCode === undefined) throw new SkippedRow('its server was not imported');
  const price = row.text('jg').trim() === '' ? 0 : toFen(row.text('jg'));
  if (price === null) throw new SkippedRow('its price (jg) is not an amount');
  return {
    ...DEFAULT_TERMS,
    domain: read.name,
    nodeCode,
    price,
    perCustomer: 0,
    onSale: (row.text('qk') || row.text('kg')) !== 'false',
    description: row.short('js', 255),
    channel: row.text('channel') === 'dnsapi' ? ('dnsapi' as const) : ('pan' as const),
    providerId: dnsProviders.get(row.integer('provider_id')) ?? 0,
    createdAt: row.moment('date', zone, now),
  };
}

const isAround = (one: string, other: string): boolean => one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);

import { toFen } from '../../common/index.js';
import { readDomain, SaleDomain, USUAL_TERMS } from '../../hosting/index.js';

import type { ImportContext, ImportPart } from './import-part.js';
import { type LegacyRow, Left } from './legacy-row.js';
import { eachOf } from './rows.js';

const WHAT = 'domains for sale';

/** Domains whose names are sold: of the panel itself, and of its plugin `domain_shop`, which came after. */
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
      for (const zone of eachOf(part, rows, context, (row) => zoneOf(row, context))) {
        if ([...zones.keys()].some((other) => isAround(other, zone.domain))) {
          report.left(WHAT, 'it, or one around it, is there already', zone.domain);
          continue;
        }
        const { identifiers } = await repository.insert(zone);
        zones.set(zone.domain, { ...zone, id: Number(identifiers[0]!.id) });
        report.took(WHAT);
        if (zone.channel === 'dnsapi' && zone.providerId === 0) report.note('domains for sale: choose a DNS provider (Names)', zone.domain);
      }
    },
  };
  return part;
}

/** What the other panel does not know stays as it is for new ones; a name it sold has no last day. */
function zoneOf(row: LegacyRow, { servers, dnsProviders, zone, now }: ImportContext) {
  const read = readDomain(row.short('url', 128));
  if (typeof read === 'string' || read.isWildcard) throw new Left('its name (url) is no domain');
  // The panel itself calls the server `bt`, its plugin `btdh`.
  const nodeCode = servers.get((row.text('btdh') || row.text('bt')).trim().toLowerCase());
  if (nodeCode === undefined) throw new Left('its server was not taken');
  const price = row.text('jg').trim() === '' ? 0 : toFen(row.text('jg'));
  if (price === null) throw new Left('its price (jg) is none');
  return {
    ...USUAL_TERMS,
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

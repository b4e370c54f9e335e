import { DnsProvider, sealProviderSettings } from '../../dns/index.js';

import type { ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';
import { convertRows, idOf } from './rows.js';

/** The other panel's name for its only provider. */
const DNSPOD = 'dnspod';

/** Imports DNSPod accounts with their keys. */
export const dnsProviders: ImportPart = {
  table: 'plg_dns_provider',
  isPlugins: true,
  needs: ['slug', 'api_id', 'api_secret'],
  what: 'DNS providers',
  nameOf: (row) => row.text('name'),
  async take(rows, context) {
    const { database, report, secrets, zone, now } = context;
    const made = convertRows(dnsProviders, rows, context, (row) => {
      const { slug, settings } = accountOf(row);
      const name = row.short('name', 100).trim() || slug;
      const sealed = sealProviderSettings(secrets, slug, settings);
      return { number: idOf(row), provider: { slug, name, settings: sealed, createdAt: row.moment('created_at', zone, now) } };
    });
    const repository = database.repository(DnsProvider);
    for (const { number, provider } of made) {
      const { identifiers } = await repository.insert(provider);
      context.dnsProviders.set(number, Number(identifiers[0]!.id));
      report.add('DNS providers');
    }
  },
};

/** A numeric id is a DNSPod token, anything else a Tencent Cloud key. */
function accountOf(row: LegacyRow): { slug: string; settings: Record<string, string> } {
  const [id, secret] = [row.short('api_id', 200).trim(), row.short('api_secret', 200).trim()];
  if (row.text('slug').trim().toLowerCase() !== DNSPOD) throw new SkippedRow('its kind (slug) is not supported');
  if (row.text('qk') === 'false') throw new SkippedRow('it is disabled');
  if (id === '' || secret === '') throw new SkippedRow('its key is missing');
  if (/^\d+$/.test(id)) return { slug: DNSPOD, settings: { token_id: id, token: secret } };
  return { slug: 'tencent', settings: { secret_id: id, secret_key: secret } };
}

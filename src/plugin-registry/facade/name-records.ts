import type { SaleDomain, SoldName } from '../../hosting/index.js';
import type { NameRecord, NameZone } from '../../sdk/index.js';

/** Converts a sold name for plugins, including its list columns. */
export function recordOf(row: SoldName, shown: Readonly<Record<string, unknown>>): NameRecord {
  const bound = shown.path !== '';
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    zone: row.zoneId,
    domain: String(shown.zone),
    state: row.state,
    bound,
    folder: bound ? String(shown.path).slice(1) : row.folder,
    host: row.accountId,
    user: String(shown.user),
    customer: row.customerId,
    order: row.orderNo,
    expiresOn: row.expiresOn,
    endsOn: row.expiresOn === null ? null : String(shown.goes_on),
    dns: shown.dns as NameRecord['dns'],
  };
}

/** Converts a zone for plugins. */
export function zoneRecord(zone: SaleDomain): NameZone {
  const { id, domain, nodeCode, price, months, onSale, description, channel, providerId, perCustomer, reserved, graceDays, restDays } =
    zone;
  const terms = { price, months, onSale, description, channel, provider: providerId, perCustomer, reserved, graceDays, restDays };
  return { id, domain, node: nodeCode, ...terms, createdAt: zone.createdAt.toISOString() };
}

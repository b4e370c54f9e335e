import { readDomain, SiteDomain, SoldName } from '../../hosting/index.js';

import type { ImportContext } from './import-part.js';

/** Scene of orders for names. */
const SCENE = 'ymgm';
const WHAT = 'names that were sold';

/** An imported order. */
interface NameOrder {
  readonly number: string;
  readonly scene: string;
  readonly status: string;
  readonly ownerId: number | null;
  readonly context: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Imports paid names and binds them to their hosts; the other panel stores them only in its orders. */
export async function takeSoldNames(orders: readonly NameOrder[], context: ImportContext): Promise<void> {
  const { database, report, names, zones } = context;
  for (const { number, scene, status, ownerId, context: fields, createdAt } of orders) {
    if (scene !== SCENE || status !== 'paid') continue;
    const fullName = String(fields.url_zy ?? '') || `${String(fields.url_qz)}.${String(fields.url_zd)}`;
    const read = readDomain(fullName);
    const name = typeof read === 'string' || read.isWildcard ? null : read.name;
    const domain = name?.slice(name.indexOf('.') + 1) ?? '';
    const zone = zones.get(domain);
    const why =
      (name === null && 'the order does not contain the name') ||
      (zone === undefined && 'its domain was not imported') ||
      (ownerId === null && 'its host was not imported, or was created after the order') ||
      (name !== null && names.has(name) && 'it was already sold by an earlier order');
    if (why || name === null || zone === undefined || ownerId === null) {
      report.skip(WHAT, why || 'the order does not contain the name', name ?? number);
      continue;
    }
    const prefix = name.slice(0, -domain.length - 1);
    const { identifiers } = await database.repository(SoldName).insert({
      ...{ zoneId: zone.id, name, prefix, state: 'sold', accountId: ownerId, customerId: null, orderNo: number },
      ...{ folder: '', expiresOn: null, until: null, remindedOn: null, untoldAccountId: null, createdAt },
    });
    const reversed = name.split('.').reverse().join('.');
    await database.repository(SiteDomain).insert({ accountId: ownerId, name, reversed, folder: '', isMain: false, createdAt });
    names.set(name, { id: Number(identifiers[0]!.id), accountId: ownerId, zone });
    report.add(WHAT);
  }
}

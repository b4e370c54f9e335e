import { NODE_FIELDS, type DriverCapability, type HostDriver, type NodeField } from './host-driver.js';

/** A limit of an account that not every server can enforce, as named by `kt` and the plans of shops. */
export type EnforceableLimit = 'databaseMb' | 'trafficGb' | 'domains' | 'backups';

/** Capabilities of which a server needs one to enforce the limit; web space is measured by every driver. */
const NEEDS: Readonly<Record<EnforceableLimit, readonly DriverCapability[]>> = {
  databaseMb: ['database'],
  trafficGb: ['traffic'],
  domains: ['domains'],
  backups: ['backups'],
};

/** Names of these limits in the administrators' forms. */
export const LIMIT_FIELDS: Readonly<Record<EnforceableLimit, string>> = {
  databaseMb: 'sqlkj',
  trafficGb: 'll',
  domains: 'ymbds',
  backups: 'bf_max',
};

/** Limits that are stored but have no effect on such a server; all of them without a driver. */
export function unenforcedLimits(driver: HostDriver | undefined): EnforceableLimit[] {
  return (Object.keys(NEEDS) as EnforceableLimit[]).filter(
    (limit) => !NEEDS[limit].some((capability) => driver?.capabilities.has(capability)),
  );
}

/** A field of a node that may have no effect, such as the FTP address on a server without FTP. */
export type UnusedNodeField = NodeField | 'ftpdz';

/** Fields of a node that are stored but have no effect; all of them without a driver. */
export function unenforcedNodeFields(driver: HostDriver | undefined): UnusedNodeField[] {
  const unused: UnusedNodeField[] = NODE_FIELDS.filter((field) => !driver?.nodeFields.includes(field));
  return driver?.capabilities.has('ftp') || driver?.access ? unused : [...unused, 'ftpdz'];
}

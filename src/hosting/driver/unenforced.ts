import { NODE_FIELDS, type DriverCapability, type HostDriver, type NodeField } from './host-driver.js';

/** A limit of an account a server may or may not hold it to, as `kt` and the plans of shops name it. */
export type EnforceableLimit = 'databaseMb' | 'trafficGb' | 'domains' | 'backups';

/** One of these a server must be able to do before a limit means anything there; web space is measured by every driver. */
const NEEDS: Readonly<Record<EnforceableLimit, readonly DriverCapability[]>> = {
  databaseMb: ['database'],
  trafficGb: ['traffic'],
  domains: ['domains'],
  backups: ['backups'],
};

/** The same under the names of the administrators' forms. */
export const LIMIT_FIELDS: Readonly<Record<EnforceableLimit, string>> = {
  databaseMb: 'sqlkj',
  trafficGb: 'll',
  domains: 'ymbds',
  backups: 'bf_max',
};

/** Limits that are kept for an account on such a server and have no effect there; all of them without a driver. */
export function unenforcedLimits(driver: HostDriver | undefined): EnforceableLimit[] {
  return (Object.keys(NEEDS) as EnforceableLimit[]).filter(
    (limit) => !NEEDS[limit].some((capability) => driver?.capabilities.has(capability)),
  );
}

/** A field of a node that may have no effect: where there is no FTP, nobody is shown its address. */
export type UnusedNodeField = NodeField | 'ftpdz';

/** Fields of a node that are kept and have no effect; all of them without a driver. */
export function unenforcedNodeFields(driver: HostDriver | undefined): UnusedNodeField[] {
  const unused: UnusedNodeField[] = NODE_FIELDS.filter((field) => !driver?.nodeFields.includes(field));
  return driver?.capabilities.has('ftp') || driver?.access ? unused : [...unused, 'ftpdz'];
}

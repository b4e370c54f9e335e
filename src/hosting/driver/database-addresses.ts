import { isIP } from 'node:net';

/** Stands for all addresses in a database's allow list, and must then be the only entry. */
export const ANYWHERE = '%';

/** Returns the hosts that a database cannot allow because they are not IP addresses. */
export function invalidAddresses(hosts: readonly string[]): string[] {
  return hosts.length === 1 && hosts[0] === ANYWHERE ? [] : hosts.filter((host) => isIP(host) === 0);
}

import { isIP } from 'node:net';

/** Stands for every address a database may let in, and then alone. */
export const ANYWHERE = '%';

/** Those a database cannot let in: they are no IP addresses. */
export function noAddresses(hosts: readonly string[]): string[] {
  return hosts.length === 1 && hosts[0] === ANYWHERE ? [] : hosts.filter((host) => isIP(host) === 0);
}

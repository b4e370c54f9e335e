import { isIP } from 'node:net';

/** Returns whether a host name, in the form of `URL.hostname`, refers to this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

import { isIPv6 } from 'node:net';

/**
 * Returns the network of an address: the address itself, or the first 64 bits of an IPv6 address, since one user can have arbitrarily many.
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip.slice(0, 64);
  const [head = '', tail = ''] = ip.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const zeros = ip.includes('::') ? Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0') : [];
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}

import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

import { AppConfig } from '../config/index.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Where a request really comes from: a header counts only as far as proxies of TRUST_PROXY vouch for it. */
@Injectable()
export class ClientAddress {
  private readonly trusted: readonly Range[];

  constructor(config: AppConfig) {
    this.trusted = config.trustedProxies.map((cidr) => ipaddr.parseCIDR(cidr));
  }

  /** The address of the client, IPv4 in its own form. */
  of(req: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = normalize(req.socket.remoteAddress ?? '');
    if (this.trusted.length === 0) return address;
    const header = req.headers['x-forwarded-for'];
    const hops = String(Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => hop.trim());
    // From the nearest hop outwards: each one was written by the one before it, which must be trusted.
    while (hops.length && this.isTrusted(address)) {
      const hop = hops.pop()!;
      if (!ipaddr.isValid(hop)) break;
      address = normalize(hop);
    }
    return address;
  }

  private isTrusted(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.trusted.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range as never, bits));
  }
}

/**
 * What limits by address count: an IPv4 address itself, of an IPv6 address the /64 network, which is what one customer gets
 * and changes addresses in at will. Anything else comes back as it is.
 */
export function addressForLimits(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

function normalize(address: string): string {
  // What Node accepts here has one spelling only, and it is the one wanted.
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

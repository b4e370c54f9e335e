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
    const hops = String(Array.isArray(header) ? header.join(',') : (header ?? ''))
      .split(',')
      .map((hop) => hop.trim());
    // From the nearest hop outwards: each one was written by the one before it, which must be trusted.
    while (hops.length && this.isProxy(address)) {
      const hop = withoutPort(hops.pop()!);
      if (!ipaddr.isValid(hop)) break;
      address = normalize(hop);
    }
    return address;
  }

  /** Whether a request came over TLS, to this process or to the proxy in front of it. */
  isSecure({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
    if ('encrypted' in socket) return true;
    return this.isProxy(normalize(socket.remoteAddress ?? '')) && String(headers['x-forwarded-proto'] ?? '').toLowerCase() === 'https';
  }

  /** Whether an address is a proxy of TRUST_PROXY, which speaks for many. */
  isProxy(address: string): boolean {
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
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** The address of `192.0.2.1:567`, `[2001:db8::1]:567` and `[2001:db8::1]`, which some proxies write; anything else comes back as it is. */
function withoutPort(hop: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(hop)?.[1] ?? /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? hop;
}

function normalize(address: string): string {
  // What Node accepts here has one spelling only, and it is the one wanted.
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

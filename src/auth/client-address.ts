import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

import { AppConfig } from '../config/index.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Determines the client address of a request; forwarding headers are only trusted from proxies of TRUST_PROXY. */
@Injectable()
export class ClientAddress {
  private readonly trusted: readonly Range[];

  constructor(config: AppConfig) {
    this.trusted = config.trustedProxies.map((cidr) => ipaddr.parseCIDR(cidr));
  }

  /** Returns the client address; IPv4 in its own notation. */
  of(req: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = normalize(req.socket.remoteAddress ?? '');
    if (this.trusted.length === 0) return address;
    const header = req.headers['x-forwarded-for'];
    const hops = String(Array.isArray(header) ? header.join(',') : (header ?? ''))
      .split(',')
      .map((hop) => hop.trim());
    // From the nearest hop outwards: each was written by the previous one, which must be trusted.
    while (hops.length && this.isProxy(address)) {
      const hop = withoutPort(hops.pop()!);
      if (!ipaddr.isValid(hop)) break;
      address = normalize(hop);
    }
    return address;
  }

  /** Returns whether a request used TLS, to this process or to the proxy in front of it. */
  isSecure({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
    if ('encrypted' in socket) return true;
    return this.isProxy(normalize(socket.remoteAddress ?? '')) && String(headers['x-forwarded-proto'] ?? '').toLowerCase() === 'https';
  }

  /** Returns whether an address is a trusted proxy of TRUST_PROXY, which forwards requests of many clients. */
  isProxy(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.trusted.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range as never, bits));
  }
}

/**
 * Returns the key for rate limits by address: an IPv4 address itself, for IPv6 the /64 network, within which a customer can change
 * addresses at will. Anything else is returned unchanged.
 */
export function addressForLimits(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/**
 * Strips the port from `192.0.2.1:567`, `[2001:db8::1]:567` and `[2001:db8::1]`, which some proxies write; anything else is returned
 * unchanged.
 */
function withoutPort(hop: string): string {
  return /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(hop)?.[1] ?? /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? hop;
}

function normalize(address: string): string {
  // Node accepts only the canonical spelling here.
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

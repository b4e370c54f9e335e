import { Resolver as DnsResolver } from 'node:dns/promises';

import { Injectable } from '@nestjs/common';

import { OutboundProbe, type ResolvedAddress } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

/** Timeout of a DNS query in milliseconds, and number of attempts. */
const LOOKUP = { timeout: 3_000, tries: 2 };

/**
 * Connects monitors to their targets: public addresses and the networks of `MONITOR_ALLOW`. Names are resolved by querying name servers
 * directly, because `getaddrinfo` uses the four threads of the libuv pool: a few slow names would block uploads and password hashing.
 */
@Injectable()
export class MonitorProbe extends OutboundProbe {
  constructor(config: AppConfig) {
    super({ allowCidrs: config.monitorAllow, resolver: resolveName });
  }
}

/** Creates a resolver per query, because a resolver limits its concurrent queries. */
export const newResolver = (): DnsResolver => new DnsResolver(LOOKUP);

async function resolveName(name: string): Promise<ResolvedAddress[]> {
  const resolver = newResolver();
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

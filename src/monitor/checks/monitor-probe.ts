import { Resolver as DnsResolver } from 'node:dns/promises';

import { Injectable } from '@nestjs/common';

import { OutboundProbe, type ResolvedAddress } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';

/** Waits of a look-up of a name, in milliseconds, and how often it is tried. */
const LOOK_UP = { timeout: 3_000, tries: 2 };

/**
 * How monitors reach what they look at: public addresses, and the networks of `MONITOR_ALLOW`. Names are asked of the name servers by the
 * process itself: the operating system's way has four threads for everything, which a few slow names would take from uploads and passwords.
 */
@Injectable()
export class MonitorProbe extends OutboundProbe {
  constructor(config: AppConfig) {
    super({ allowCidrs: config.monitorAllow, resolver: resolveName });
  }
}

/** A resolver of its own for each question: one has a limited number of questions under way. */
export const newResolver = (): DnsResolver => new DnsResolver(LOOK_UP);

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

import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';

/** DNS provider that records of zones can be set at. */
export interface NameProvider {
  readonly id: number;
  readonly name: string;
}

/** How the record of a name stands at its DNS provider. */
export type NameAtDns = 'waiting' | 'done' | 'failed';

/** Whoever sets records at DNS providers. */
export interface NameDns {
  /** Which there are. */
  providers(): Promise<readonly NameProvider[]>;
  /** How the records of these names stand; one nobody has begun with is not among them. */
  states(names: readonly string[]): Promise<ReadonlyMap<string, NameAtDns>>;
}

/** Asks whoever sets records at DNS providers; without anybody a zone has a wildcard record. */
@Injectable()
export class NameProviders {
  private readonly served = new Set<NameDns>();

  /** @returns takes it back */
  serve(dns: NameDns): Undo {
    this.served.add(dns);
    return () => void this.served.delete(dns);
  }

  /** All there are. */
  async all(): Promise<NameProvider[]> {
    const found = await Promise.all([...this.served].map((dns) => dns.providers()));
    return found.flat();
  }

  /** See {@link NameDns.states}. */
  async states(names: readonly string[]): Promise<ReadonlyMap<string, NameAtDns>> {
    const found = await Promise.all([...this.served].map((dns) => dns.states(names)));
    return new Map(found.flatMap((states) => [...states]));
  }
}

import { Injectable } from '@nestjs/common';

import type { Undo } from '../../common/index.js';

/** A DNS provider that can hold the records of zones. */
export interface NameProvider {
  readonly id: number;
  readonly name: string;
}

/** State of a name's record at its DNS provider. */
export type NameAtDns = 'waiting' | 'done' | 'failed';

/** Manages records at DNS providers. */
export interface NameDns {
  /** Returns the available providers. */
  providers(): Promise<readonly NameProvider[]>;
  /** Returns the states of the names' records; names whose record was never requested are left out. */
  states(names: readonly string[]): Promise<ReadonlyMap<string, NameAtDns>>;
}

/** Registry of services that manage records at DNS providers. Without any, zones use a wildcard record. */
@Injectable()
export class NameProviders {
  private readonly served = new Set<NameDns>();

  /** @returns unregisters it */
  serve(dns: NameDns): Undo {
    this.served.add(dns);
    return () => void this.served.delete(dns);
  }

  /** Returns all providers. */
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

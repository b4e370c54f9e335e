import { Inject, Injectable } from '@nestjs/common';
import { HostsService } from '@svc/sdk';

import type { Pool } from './pools.js';

/** A target for new hosts: a server, or a group in which the panel chooses one. */
export interface Place {
  readonly code: string;
  readonly name: string;
  /** Codes of its servers; for a server only its own. */
  readonly servers: readonly string[];
  readonly isGroup: boolean;
}

/** Servers and groups of the panel, and those available to a pool. */
@Injectable()
export class Servers {
  constructor(@Inject(HostsService) private readonly hosts: HostsService) {}

  async all(): Promise<Place[]> {
    const [nodes, groups] = await Promise.all([this.hosts.nodes(), this.hosts.groups()]);
    return [
      ...nodes.map(({ code, name }) => ({ code, name, servers: [code], isGroup: false })),
      ...groups.map(({ code, name, servers }) => ({ code, name, servers, isGroup: true })),
    ];
  }
}

/** Returns the servers and groups available to a pool. */
export const placesOf = ({ nodes }: Pick<Pool, 'nodes'>, all: readonly Place[]): Place[] =>
  nodes.length === 0 ? [...all] : all.filter(({ code }) => nodes.includes(code));

/** Whether hosts of a pool may be on a server. */
export const mayBeOn = (pool: Pick<Pool, 'nodes'>, all: readonly Place[], node: string): boolean =>
  pool.nodes.length === 0 || pool.nodes.includes(node) || placesOf(pool, all).some(({ servers }) => servers.includes(node));

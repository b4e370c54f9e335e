import { Injectable } from '@nestjs/common';

import { DriverRegistry, type EnforceableLimit } from '../driver/index.js';
import { groupReference } from '../placement/index.js';

import { NodesService } from './nodes.service.js';
import { ServerGroups } from './server-groups.js';

/** Server that new hosts can be opened on, with the limits it keeps but does not enforce. */
export interface OfferedServer {
  /** Of a server, or `auto:{group}`. */
  readonly code: string;
  readonly name: string;
  readonly unenforced: readonly EnforceableLimit[];
}

/** A group, with the codes of its servers. */
export interface OfferedGroup extends OfferedServer {
  readonly servers: readonly string[];
}

/** Servers and groups of servers, for whoever opens hosts on them. */
@Injectable()
export class OfferedServers {
  constructor(
    private readonly nodes: NodesService,
    private readonly groups: ServerGroups,
    private readonly drivers: DriverRegistry,
  ) {}

  /** Servers accounts can be opened on. */
  async servers(): Promise<OfferedServer[]> {
    const nodes = await this.nodes.open();
    return nodes.map((node) => ({ code: node.code, name: node.name, unenforced: this.drivers.unenforced(node) }));
  }

  /** Groups accounts can be opened on, with their servers but for those that are closed: their `code` goes where that of a server does. */
  async ofGroups(): Promise<OfferedGroup[]> {
    const groups = await this.groups.withServers();
    const open = groups.map(({ group, nodes }) => ({ group, nodes: nodes.filter(({ enabled }) => enabled) }));
    return open.map(({ group, nodes }) => ({
      code: groupReference(group.code),
      name: group.name,
      servers: nodes.map(({ code }) => code),
      unenforced: [...new Set(nodes.flatMap((node) => this.drivers.unenforced(node)))],
    }));
  }

  /** Limits that are kept for hosts of a server and have no effect there. @param code of the server */
  async unenforced(code: string): Promise<readonly EnforceableLimit[]> {
    return this.drivers.unenforced(await this.nodes.find(code));
  }
}

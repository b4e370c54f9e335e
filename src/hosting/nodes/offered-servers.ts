import { Injectable } from '@nestjs/common';

import { DriverRegistry, type EnforceableLimit } from '../driver/index.js';
import { groupReference } from '../placement/index.js';

import { NodesService } from './nodes.service.js';
import { ServerGroups } from './server-groups.js';

/** A server that accepts new hosts, with the limits it stores but does not enforce. */
export interface OfferedServer {
  /** Code of a server, or `auto:{group}`. */
  readonly code: string;
  readonly name: string;
  readonly unenforced: readonly EnforceableLimit[];
}

/** A group, with the codes of its servers. */
export interface OfferedGroup extends OfferedServer {
  readonly servers: readonly string[];
}

/** Servers and server groups on which hosts can be opened. */
@Injectable()
export class OfferedServers {
  constructor(
    private readonly nodes: NodesService,
    private readonly groups: ServerGroups,
    private readonly drivers: DriverRegistry,
  ) {}

  /** Returns the servers open for new accounts. */
  async servers(): Promise<OfferedServer[]> {
    const nodes = await this.nodes.open();
    return nodes.map((node) => ({ code: node.code, name: node.name, unenforced: this.drivers.unenforced(node) }));
  }

  /** Returns the groups with their enabled servers; a group's `code` can be used in place of a server's. */
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

  /** Returns the limits that are stored for hosts of a server but have no effect there. @param code of the server */
  async unenforced(code: string): Promise<readonly EnforceableLimit[]> {
    return this.drivers.unenforced(await this.nodes.find(code));
  }
}

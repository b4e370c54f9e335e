import { Injectable } from '@nestjs/common';

import { HostingService, HostList, LoginLinks, NodesService } from '../../hosting/index.js';
import type { HostsQuery, HostsService, ServerRecord } from '../../sdk/index.js';

import { partOf } from './list-part.js';

/** Lists of hosts and servers, and sign-in links for owners, for plugins. */
@Injectable()
export class HostLists {
  constructor(
    private readonly hosting: HostingService,
    private readonly hosts: HostList,
    private readonly nodes: NodesService,
    private readonly links: LoginLinks,
  ) {}

  /** See {@link HostsService.find}. */
  async find({ text, node, status, ownerId, expiresUntil, ...part }: HostsQuery = {}): ReturnType<HostsService['find']> {
    const { total, rows } = await this.hosts.page({
      ...partOf(part),
      sortOrder: 'desc',
      search: null,
      text,
      nodeCode: node,
      state: status,
      standing: true,
      ownerId,
      ...(expiresUntil === undefined ? {} : { lastDay: { from: null, to: expiresUntil } }),
    });
    // Returned oldest first.
    return { total, hosts: (await this.hosting.list(rows.map(({ id }) => id))).reverse() };
  }

  /** See {@link HostsService.servers}. */
  async servers(): Promise<ServerRecord[]> {
    const nodes = await this.nodes.choices(null);
    const hosts = await this.nodes.hostCounts(nodes.map(({ code }) => code));
    return nodes.map((node) => ({
      code: node.code,
      name: node.dnsTarget || node.code,
      kind: node.driver,
      open: node.enabled,
      hosts: hosts.get(node.code) ?? 0,
      capacity: node.capacity,
      php: node.defaultPhp,
      awaySince: node.awaySince?.toISOString() ?? null,
    }));
  }

  /** See {@link HostsService.signInLink}. */
  async signInLink(id: number): Promise<string> {
    return (await this.links.issue(id)).url;
  }
}

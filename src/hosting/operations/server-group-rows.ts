import { Injectable } from '@nestjs/common';

import { type FormValues, versionOf } from '../../operations/index.js';
import { DriverRegistry } from '../driver/index.js';
import type { HostingNode, ServerGroup } from '../entities/index.js';
import { ServerGroups } from '../nodes/index.js';
import { groupReference, hasRoom, ServerLoads, ServerPlacement } from '../placement/index.js';

/** What `btzbc` sets, by the names of its fields. */
export const groupForm = (group: ServerGroup, servers: readonly number[]) =>
  ({ mc: group.name, gz: group.rule, nodes: [...servers].sort((a, b) => a - b).join(',') }) satisfies FormValues;

/** Groups of servers as they look on the wire: every value text. */
@Injectable()
export class ServerGroupRows {
  constructor(
    private readonly groups: ServerGroups,
    private readonly placement: ServerPlacement,
    private readonly loads: ServerLoads,
    private readonly drivers: DriverRegistry,
  ) {}

  /** Every group, and how full it is. */
  async all() {
    const groups = await this.groups.list();
    const members = await this.groups.members(groups.map(({ id }) => id));
    return Promise.all(groups.map((group) => this.of(group, members.get(group.id)!)));
  }

  /**
   * Servers of a group: `zt` is `open`, `full`, `off` (closed for new hosts), `away` (does not answer) or `missing` (no driver).
   */
  async servers(group: ServerGroup) {
    const nodes = await this.placement.nodesOf(group);
    const [loads, candidates] = await Promise.all([this.loads.of(nodes), this.placement.candidates(nodes.map(({ id }) => id))]);
    const hosts = new Map(candidates.map((one) => [one.id, one.hosts]));
    return nodes.map((node) => ({
      id: String(node.id),
      btdh: node.code,
      zjs: String(hosts.get(node.id) ?? 0),
      rl: String(node.capacity),
      qz: String(node.weight),
      zt: this.stateOf(node, hosts.get(node.id) ?? 0, loads.get(node.id)?.isOnline ?? node.awaySince === null),
    }));
  }

  /** `sy` is how many more hosts fit on what is open; empty: any number. `kf` is how many of its servers take new ones now. */
  private async of(group: ServerGroup, members: readonly number[]) {
    const servers = await this.servers(group);
    const open = servers.filter(({ zt }) => zt === 'open');
    const room = open.map(({ rl, zjs }) => (rl === '0' ? Number.POSITIVE_INFINITY : Number(rl) - Number(zjs)));
    const left = room.reduce((sum, one) => sum + one, 0);
    return {
      id: String(group.id),
      bh: group.code,
      btdh: groupReference(group.code),
      mc: group.name,
      gz: group.rule,
      nodes: members.join(','),
      jds: String(servers.length),
      kf: String(open.length),
      zjs: String(servers.reduce((sum, { zjs }) => sum + Number(zjs), 0)),
      sy: Number.isFinite(left) ? String(left) : '',
      row_version: versionOf(groupForm(group, members)),
    };
  }

  private stateOf(node: HostingNode, hosts: number, isThere: boolean): 'open' | 'full' | 'off' | 'away' | 'missing' {
    if (!node.enabled) return 'off';
    if (!this.drivers.find(node.driver)) return 'missing';
    if (!isThere) return 'away';
    return hasRoom({ hosts, capacity: node.capacity }) ? 'open' : 'full';
  }
}

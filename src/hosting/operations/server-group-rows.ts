import { Injectable } from '@nestjs/common';

import { type FormValues, versionOf } from '../../http/index.js';
import type { HostingNode, ServerGroup } from '../entities/index.js';
import { ServerGroups } from '../nodes/index.js';
import { groupReference, hasRoom, ServerPlacement } from '../placement/index.js';

/** Returns the current values of the `btzbc` fields. */
export const groupForm = (group: ServerGroup, servers: readonly number[]) =>
  ({ mc: group.name, gz: group.rule, nodes: [...servers].sort((a, b) => a - b).join(',') }) satisfies FormValues;

/** Converts groups of servers to the wire format: all values are strings. */
@Injectable()
export class ServerGroupRows {
  constructor(
    private readonly groups: ServerGroups,
    private readonly placement: ServerPlacement,
  ) {}

  /** Returns all groups with their usage. */
  async all() {
    const groups = await this.groups.withServers();
    const nodes = new Map(groups.flatMap((group) => group.nodes).map((node) => [node.id, node]));
    const servers = new Map((await this.rowsOf([...nodes.values()])).map((row) => [row.id, row]));
    return groups.map((one) =>
      this.of(
        one.group,
        one.nodes.map(({ id }) => servers.get(String(id))!),
      ),
    );
  }

  /**
   * Returns the servers of a group: `zt` is `open`, `full`, `off` (closed for new hosts), `away` (unreachable) or `missing` (no driver).
   */
  async servers(group: ServerGroup) {
    return this.rowsOf(await this.placement.nodesOf(group));
  }

  private async rowsOf(nodes: readonly HostingNode[]) {
    const [availability, candidates] = await Promise.all([
      this.placement.availabilityOf(nodes),
      this.placement.candidates(nodes.map(({ id }) => id)),
    ]);
    const counts = new Map(candidates.map((one) => [one.id, one.hosts]));
    return nodes.map(({ id, code, capacity, weight }) => {
      const hosts = counts.get(id) ?? 0;
      const state = availability.get(id)!;
      return {
        id: String(id),
        btdh: code,
        zjs: String(hosts),
        rl: String(capacity),
        qz: String(weight),
        zt: state === 'open' && !hasRoom({ hosts, capacity }) ? 'full' : state,
      };
    });
  }

  /** `sy` is the free capacity of the open servers; empty: unlimited. `kf` is the number of servers that accept new hosts now. */
  private of(group: ServerGroup, servers: Awaited<ReturnType<ServerGroupRows['rowsOf']>>) {
    const open = servers.filter(({ zt }) => zt === 'open');
    const room = open.map(({ rl, zjs }) => (rl === '0' ? Number.POSITIVE_INFINITY : Number(rl) - Number(zjs)));
    const left = room.reduce((sum, one) => sum + one, 0);
    const form = groupForm(
      group,
      servers.map(({ id }) => Number(id)),
    );
    return {
      ...form,
      id: String(group.id),
      bh: group.code,
      btdh: groupReference(group.code),
      jds: String(servers.length),
      kf: String(open.length),
      zjs: String(servers.reduce((sum, { zjs }) => sum + Number(zjs), 0)),
      sy: Number.isFinite(left) ? String(left) : '',
      row_version: versionOf(form),
    };
  }
}

import { Injectable } from '@nestjs/common';

import { type FormValues, versionOf } from '../../http/index.js';
import type { HostingNode, ServerGroup } from '../entities/index.js';
import { ServerGroups } from '../nodes/index.js';
import { groupReference, hasRoom, ServerPlacement } from '../placement/index.js';

/** What `btzbc` sets, by the names of its fields. */
export const groupForm = (group: ServerGroup, servers: readonly number[]) =>
  ({ mc: group.name, gz: group.rule, nodes: [...servers].sort((a, b) => a - b).join(',') }) satisfies FormValues;

/** Groups of servers as they look on the wire: every value text. */
@Injectable()
export class ServerGroupRows {
  constructor(
    private readonly groups: ServerGroups,
    private readonly placement: ServerPlacement,
  ) {}

  /** Every group, and how full it is. */
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
   * Servers of a group: `zt` is `open`, `full`, `off` (closed for new hosts), `away` (does not answer) or `missing` (no driver).
   */
  async servers(group: ServerGroup) {
    return this.rowsOf(await this.placement.nodesOf(group));
  }

  private async rowsOf(nodes: readonly HostingNode[]) {
    const [standings, candidates] = await Promise.all([
      this.placement.standings(nodes),
      this.placement.candidates(nodes.map(({ id }) => id)),
    ]);
    const counts = new Map(candidates.map((one) => [one.id, one.hosts]));
    return nodes.map(({ id, code, capacity, weight }) => {
      const hosts = counts.get(id) ?? 0;
      const standing = standings.get(id)!;
      return {
        id: String(id),
        btdh: code,
        zjs: String(hosts),
        rl: String(capacity),
        qz: String(weight),
        zt: standing === 'open' && !hasRoom({ hosts, capacity }) ? 'full' : standing,
      };
    });
  }

  /** `sy` is how many more hosts fit on what is open; empty: any number. `kf` is how many of its servers take new ones now. */
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

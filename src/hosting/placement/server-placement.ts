import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { DriverRegistry } from '../driver/index.js';
import { HostingNode, type PlacementRule, ServerGroup } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { type Candidate, chooseServer, hasRoom } from './placement-rule.js';
import { ServerLoads } from './server-loads.js';

/** Code for "any server"; before the code of a group it means "one of its servers". */
export const ANY_SERVER = 'auto';
/** Servers that are looked at for one host at most. */
const MOST_SERVERS = 500;

/** How whoever opens a host names a group. */
export const groupReference = (code: string): string => `${ANY_SERVER}:${code}`;

/** Whether a server takes new hosts: it is closed for them, nobody drives its kind, or it does not answer. */
export type Standing = 'open' | 'off' | 'missing' | 'away';

/** Servers a new host may come on, as they were when they were looked at. */
export interface Wanted {
  /** As it was asked for. */
  readonly asked: string;
  /** What chooses among them; null where one was named. */
  readonly rule: PlacementRule | null;
  /** What the group is called; empty where it is none. */
  readonly group: string;
  readonly ids: readonly number[];
}

/** Server chosen for a host, and by which rule. */
export interface Place {
  readonly code: string;
  /** Null where the server was named. */
  readonly by: { readonly rule: PlacementRule; readonly group: string; readonly asked: string } | null;
}

/** Finds the server a new host comes on, by its code, by `auto:{group}` or by `auto`, and never past what a server takes. */
@Injectable()
export class ServerPlacement {
  constructor(
    private readonly database: Database,
    private readonly drivers: DriverRegistry,
    private readonly loads: ServerLoads,
  ) {}

  /**
   * Looks what is meant and which of the servers are there, before a transaction is opened.
   *
   * @param asked code of a server, `auto:` and the code of a group, or `auto` for any server
   * @param without ids of servers that were tried in vain
   * @throws HostingError NODE_NOT_FOUND, NODE_DISABLED, DRIVER_MISSING, GROUP_NOT_FOUND, GROUP_AWAY: none of its servers is there
   */
  async look(asked: string, without: ReadonlySet<number> = new Set()): Promise<Wanted> {
    const named = await this.database.repository(HostingNode).findOneBy({ code: asked });
    if (named) return this.ofNamed(named);
    const group = await this.groupOf(asked);
    const nodes = await this.nodesOf(group);
    const standings = await this.standings(nodes);
    const there = nodes.filter(({ id }) => standings.get(id) === 'open' && !without.has(id));
    const name = group?.name ?? '';
    if (there.length === 0) throw new HostingError('GROUP_AWAY', { group: name || ANY_SERVER, n: nodes.length });
    return { asked, rule: group?.rule ?? 'least', group: name, ids: there.map(({ id }) => id) };
  }

  /**
   * Chooses one of them, in the transaction in which the host is written: whoever else does so waits, so no server gets more hosts than it
   * takes.
   *
   * @throws HostingError NODE_FULL for one that was named, GROUP_FULL
   */
  async take({ asked, rule, group, ids }: Wanted): Promise<Place> {
    // In one order, so that no two hold what the other one waits for.
    for (const id of [...ids].sort((a, b) => a - b)) await this.database.lockRow('HostingNode', 'id', id);
    const candidates = await this.candidates(ids);
    if (rule === null) {
      const [only] = candidates;
      if (!only) throw new HostingError('NODE_NOT_FOUND', { code: asked });
      if (!hasRoom(only)) throw new HostingError('NODE_FULL', { code: only.code, n: only.capacity });
      return { code: only.code, by: null };
    }
    const chosen = chooseServer(rule, candidates);
    if (!chosen) throw new HostingError('GROUP_FULL', { group: group || ANY_SERVER });
    return { code: chosen.code, by: { rule, group, asked } };
  }

  /** Servers of a group, by code; those of no group are all that are open. */
  nodesOf(group: ServerGroup | null): Promise<HostingNode[]> {
    const query = this.database
      .repository(HostingNode)
      .createQueryBuilder('node')
      .orderBy('node.code', 'ASC')
      .addOrderBy('node.id', 'ASC')
      .take(MOST_SERVERS);
    if (group === null) return query.where('node.enabled = :on', { on: true }).getMany();
    return query.innerJoin('ServerGroupMember', 'member', 'member.serverId = node.id AND member.groupId = :id', { id: group.id }).getMany();
  }

  /** How servers stand, by id: whether one is there as far as somebody measures it. */
  async standings(nodes: readonly HostingNode[]): Promise<ReadonlyMap<number, Standing>> {
    const loads = await this.loads.of(nodes);
    return new Map(
      nodes.map(({ id, enabled, driver, awaySince }): [number, Standing] => {
        if (!enabled) return [id, 'off'];
        if (!this.drivers.find(driver)) return [id, 'missing'];
        return [id, (loads.get(id)?.isOnline ?? awaySince === null) ? 'open' : 'away'];
      }),
    );
  }

  /** Servers with the hosts they have: every one of them is counted, and every one on its way there. */
  async candidates(ids: readonly number[]): Promise<Candidate[]> {
    if (ids.length === 0) return [];
    const rows = await this.database
      .statement<Candidate>(
        `SELECT n.{HostingNode.id} AS id, n.{HostingNode.code} AS code, n.{HostingNode.capacity} AS capacity,
         n.{HostingNode.weight} AS weight,
         (SELECT COUNT(*) FROM {HostingAccount} h WHERE h.{HostingAccount.nodeCode} = n.{HostingNode.code})
           + (SELECT COUNT(*) FROM {SiteMove} m WHERE m.{SiteMove.toCode} = n.{HostingNode.code}
             AND m.{SiteMove.state} IN ('copying', 'closing')) AS hosts
         FROM {HostingNode} n WHERE n.{HostingNode.id} IN (${ids.map(() => '?').join(', ')}) ORDER BY n.{HostingNode.id}`,
      )
      .all(...ids);
    return rows.map((row) => ({ ...row, hosts: Number(row.hosts) }));
  }

  /** Id of the server of a code; null where there is none (any more). */
  async idOf(code: string): Promise<number | null> {
    return (await this.database.repository(HostingNode).findOneBy({ code }))?.id ?? null;
  }

  private ofNamed(node: HostingNode): Wanted {
    if (!node.enabled) throw new HostingError('NODE_DISABLED', { code: node.code });
    this.drivers.driverOf(node);
    return { asked: node.code, rule: null, group: '', ids: [node.id] };
  }

  private async groupOf(asked: string): Promise<ServerGroup | null> {
    if (asked === ANY_SERVER) return null;
    const prefix = groupReference('');
    if (!asked.startsWith(prefix)) throw new HostingError('NODE_NOT_FOUND', { code: asked });
    const code = asked.slice(prefix.length);
    const group = await this.database.repository(ServerGroup).findOneBy({ codeKey: code.toLowerCase() });
    if (!group) throw new HostingError('GROUP_NOT_FOUND', { code });
    return group;
  }
}

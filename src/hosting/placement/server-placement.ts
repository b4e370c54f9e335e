import { Injectable } from '@nestjs/common';

import { Database } from '../../database/index.js';
import { DriverRegistry } from '../driver/index.js';
import { HostingNode, type PlacementRule, ServerGroup } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';

import { type Candidate, chooseServer, hasRoom } from './placement-rule.js';
import { ServerLoads } from './server-loads.js';

/** Code for "any server"; before the code of a group it means "one of its servers". */
export const ANY_SERVER = 'auto';
/** Maximum servers considered for one host. */
const MAX_SERVERS = 500;

/** Returns the reference to a group, for use in place of a server code. */
export const groupReference = (code: string): string => `${ANY_SERVER}:${code}`;

/** Whether a server accepts new hosts: `off`: closed for them; `missing`: no driver; `away`: unreachable. */
export type Availability = 'open' | 'off' | 'missing' | 'away';

/** Candidate servers for a new host, as of the time of the check. */
export interface PlacementCandidates {
  /** The requested code. */
  readonly requested: string;
  /** Rule that chooses among them; null if a server was named. */
  readonly rule: PlacementRule | null;
  /** Name of the group; empty if it is not a group. */
  readonly group: string;
  readonly ids: readonly number[];
}

/** Server chosen for a host, and by which rule. */
export interface PlacedServer {
  readonly code: string;
  /** Null if the server was named. */
  readonly by: { readonly rule: PlacementRule; readonly group: string; readonly asked: string } | null;
}

/** Chooses the server for a new host, by its code, by `auto:{group}` or by `auto`, within the capacity of the servers. */
@Injectable()
export class ServerPlacement {
  constructor(
    private readonly database: Database,
    private readonly drivers: DriverRegistry,
    private readonly loads: ServerLoads,
  ) {}

  /**
   * Resolves the request and checks which servers are available, before a transaction is opened.
   *
   * @param requested code of a server, `auto:` and the code of a group, or `auto` for any server
   * @param without ids of servers that were already tried
   * @throws HostingError NODE_NOT_FOUND, NODE_DISABLED, DRIVER_MISSING, GROUP_NOT_FOUND, GROUP_AWAY if none of its servers is available
   */
  async findCandidates(requested: string, without: ReadonlySet<number> = new Set()): Promise<PlacementCandidates> {
    const named = await this.database.repository(HostingNode).findOneBy({ code: requested });
    if (named) return this.ofNamed(named);
    const group = await this.groupOf(requested);
    const nodes = await this.nodesOf(group);
    const availability = await this.availabilityOf(nodes);
    const there = nodes.filter(({ id }) => availability.get(id) === 'open' && !without.has(id));
    const name = group?.name ?? '';
    if (there.length === 0) throw new HostingError('GROUP_AWAY', { group: name || ANY_SERVER, n: nodes.length });
    return { requested: requested, rule: group?.rule ?? 'least', group: name, ids: there.map(({ id }) => id) };
  }

  /**
   * Chooses one of the servers, in the transaction that inserts the host. Concurrent transactions wait for the lock, so that no server
   * exceeds its capacity.
   *
   * @throws HostingError NODE_FULL for a named server, GROUP_FULL
   */
  async take({ requested, rule, group, ids }: PlacementCandidates): Promise<PlacedServer> {
    // Locks in a fixed order to avoid deadlocks.
    for (const id of [...ids].sort((a, b) => a - b)) await this.database.lockRow('HostingNode', 'id', id);
    const candidates = await this.candidates(ids);
    if (rule === null) {
      const [only] = candidates;
      if (!only) throw new HostingError('NODE_NOT_FOUND', { code: requested });
      if (!hasRoom(only)) throw new HostingError('NODE_FULL', { code: only.code, n: only.capacity });
      return { code: only.code, by: null };
    }
    const chosen = chooseServer(rule, candidates);
    if (!chosen) throw new HostingError('GROUP_FULL', { group: group || ANY_SERVER });
    return { code: chosen.code, by: { rule, group, asked: requested } };
  }

  /** Returns the servers of a group, by code; without a group, all open servers. */
  nodesOf(group: ServerGroup | null): Promise<HostingNode[]> {
    const query = this.database
      .repository(HostingNode)
      .createQueryBuilder('node')
      .orderBy('node.code', 'ASC')
      .addOrderBy('node.id', 'ASC')
      .take(MAX_SERVERS);
    if (group === null) return query.where('node.enabled = :on', { on: true }).getMany();
    return query.innerJoin('ServerGroupMember', 'member', 'member.serverId = node.id AND member.groupId = :id', { id: group.id }).getMany();
  }

  /** Returns the availability of servers, by id, based on their agents and presence checks. */
  async availabilityOf(nodes: readonly HostingNode[]): Promise<ReadonlyMap<number, Availability>> {
    const loads = await this.loads.of(nodes);
    return new Map(
      nodes.map(({ id, enabled, driver, awaySince }): [number, Availability] => {
        if (!enabled) return [id, 'off'];
        if (!this.drivers.find(driver)) return [id, 'missing'];
        return [id, (loads.get(id)?.isOnline ?? awaySince === null) ? 'open' : 'away'];
      }),
    );
  }

  /** Returns servers with their number of hosts, including those being moved there. */
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

  /** Returns the id of the server with a code; null if none exists. */
  async idOf(code: string): Promise<number | null> {
    return (await this.database.repository(HostingNode).findOneBy({ code }))?.id ?? null;
  }

  private ofNamed(node: HostingNode): PlacementCandidates {
    if (!node.enabled) throw new HostingError('NODE_DISABLED', { code: node.code });
    this.drivers.driverOf(node);
    return { requested: node.code, rule: null, group: '', ids: [node.id] };
  }

  private async groupOf(requested: string): Promise<ServerGroup | null> {
    if (requested === ANY_SERVER) return null;
    const prefix = groupReference('');
    if (!requested.startsWith(prefix)) throw new HostingError('NODE_NOT_FOUND', { code: requested });
    const code = requested.slice(prefix.length);
    const group = await this.database.repository(ServerGroup).findOneBy({ codeKey: code.toLowerCase() });
    if (!group) throw new HostingError('GROUP_NOT_FOUND', { code });
    return group;
  }
}

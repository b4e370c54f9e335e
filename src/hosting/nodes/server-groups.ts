import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Clock } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { HostingNode, type PlacementRule, ServerGroup, ServerGroupMember } from '../entities/index.js';

import { NodeError } from './node-errors.js';

/** Maximum number of groups, because every list shows all of them. */
export const MAX_GROUPS = 200;

/** Properties of a server group, as set by administrators. */
export interface GroupValues {
  readonly name: string;
  readonly rule: PlacementRule;
  /** Ids of its servers. */
  readonly servers: readonly number[];
}

/** Adds, changes and removes groups of servers. `ServerPlacement` chooses the server of a host. */
@Injectable()
export class ServerGroups {
  private readonly first;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.first = database.statement('SELECT 1 AS found FROM {ServerGroup} LIMIT 1');
  }

  private get rows() {
    return this.database.repository(ServerGroup);
  }

  /** Returns all groups, by code. */
  list(): Promise<ServerGroup[]> {
    return this.rows.find({ order: { codeKey: 'ASC', id: 'ASC' }, take: MAX_GROUPS });
  }

  find(id: number): Promise<ServerGroup | null> {
    return this.rows.findOneBy({ id });
  }

  /** @throws NodeError GROUP_MISSING */
  async existing(id: number): Promise<ServerGroup> {
    const group = await this.find(id);
    if (!group) throw new NodeError('GROUP_MISSING');
    return group;
  }

  /** Returns the server ids of groups, by group id. */
  async members(groupIds: readonly number[]): Promise<Map<number, number[]>> {
    const of = new Map(groupIds.map((id) => [id, [] as number[]]));
    if (groupIds.length === 0) return of;
    const members = await this.database.repository(ServerGroupMember).findBy({ groupId: In([...groupIds]) });
    for (const { groupId, serverId } of members) of.get(groupId)?.push(serverId);
    return of;
  }

  /** Returns the groups of a server, by code. */
  async ofServer(serverId: number): Promise<ServerGroup[]> {
    const members = await this.database.repository(ServerGroupMember).findBy({ serverId });
    if (members.length === 0) return [];
    return this.rows.find({ where: { id: In(members.map(({ groupId }) => groupId)) }, order: { codeKey: 'ASC', id: 'ASC' } });
  }

  /** Returns all groups with their servers, by code. */
  async withServers(): Promise<{ group: ServerGroup; nodes: HostingNode[] }[]> {
    // Called for every list of hosts, and most panels have no groups.
    if (!(await this.first.get())) return [];
    const groups = await this.list();
    const members = await this.members(groups.map(({ id }) => id));
    const ids = [...new Set([...members.values()].flat())];
    const nodes = await this.database.repository(HostingNode).find({ where: { id: In(ids) }, order: { code: 'ASC', id: 'ASC' } });
    return groups.map((group) => ({ group, nodes: nodes.filter(({ id }) => members.get(group.id)!.includes(id)) }));
  }

  /**
   * @param code cannot be changed later, because plans reference the group by it
   * @throws NodeError GROUP_EXISTS, GROUPS_MANY, GROUP_SERVER
   */
  async add(code: string, values: GroupValues): Promise<ServerGroup> {
    const codeKey = code.toLowerCase();
    const group = this.rows.create({ code, codeKey, name: values.name, rule: values.rule, createdAt: this.clock.now() });
    try {
      await this.database.transaction(async () => {
        if ((await this.rows.count()) >= MAX_GROUPS) throw new NodeError('GROUPS_MANY', { n: MAX_GROUPS });
        await this.rows.insert(group);
        await this.setMembers(group.id, values.servers);
        this.database.noteChange({ of: 'server_group', id: group.id }, null, { code, ...values });
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new NodeError('GROUP_EXISTS', { code }, { bh: 'hosting.field_group_exists' });
    }
    return group;
  }

  /**
   * @param check called with the locked group and its servers; rejects the change by throwing
   * @throws NodeError GROUP_MISSING, GROUP_SERVER
   */
  change(
    id: number,
    { name, rule, servers }: GroupValues,
    check: (present: ServerGroup, servers: readonly number[]) => void,
  ): Promise<ServerGroup> {
    return this.database.transaction(async () => {
      await this.database.lockRow('ServerGroup', 'id', id);
      const present = await this.existing(id);
      const before = (await this.members([id])).get(id)!;
      check(present, before);
      await this.rows.update({ id }, { name, rule });
      await this.setMembers(id, servers);
      this.database.noteChange({ of: 'server_group', id }, { ...present, servers: before }, { name, rule, servers });
      return this.existing(id);
    });
  }

  /** Removes a group; hosts stay on their servers. @throws NodeError GROUP_MISSING */
  async remove(id: number): Promise<ServerGroup> {
    const group = await this.existing(id);
    const { affected } = await this.rows.delete({ id });
    if (affected === 0) throw new NodeError('GROUP_MISSING');
    this.database.noteChange({ of: 'server_group', id, only: ['code', 'name', 'rule'] }, group, null);
    return group;
  }

  private async setMembers(groupId: number, servers: readonly number[]): Promise<void> {
    const ids = [...new Set(servers)];
    const known = ids.length === 0 ? 0 : await this.database.repository(HostingNode).countBy({ id: In(ids) });
    if (known < ids.length) throw new NodeError('GROUP_SERVER', {}, { nodes: 'hosting.field_group_server' });
    const members = this.database.repository(ServerGroupMember);
    await members.delete({ groupId });
    if (ids.length > 0) await members.insert(ids.map((serverId) => ({ groupId, serverId })));
  }
}

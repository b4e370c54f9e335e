import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';

import { checkVersion, VersionField } from '../../http/index.js';
import { ListInput, ListReply, NoInput, Operation, readIdList, RowId, RowIdOrZero, SuccessReply, Trimmed } from '../../operations/index.js';
import type { PlacementRule } from '../entities/index.js';
import { NodeError, ServerGroups } from '../nodes/index.js';

import { groupForm, ServerGroupRows } from './server-group-rows.js';

const RULES: readonly PlacementRule[] = ['least', 'fill', 'weight', 'capacity'];

/** Fields of `btzbc`. */
export class SaveGroupInput {
  /** Id of the group to change; 0 or omitted creates a new one. */
  @IsOptional() @RowIdOrZero() id = 0;
  /** Code of a new group; it cannot be changed later. */
  @IsOptional() @Trimmed() @Matches(/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/, { message: 'hosting.field_group_code' }) bh?: string;
  @Trimmed() @IsString() @Length(1, 64) mc!: string;
  @IsIn(RULES, { message: 'hosting.field_group_rule' }) gz!: PlacementRule;
  /** Ids of servers (`listbt`): a JSON array, or a comma-separated list. */
  @IsOptional() @IsString() @MaxLength(8_000) nodes = '';
  @VersionField() row_version?: string;
}

/** Identifies a group. */
export class GroupIdInput {
  @RowId() id!: number;
}

/** Fields of `listbtzcy`. */
export class GroupServersInput extends ListInput {
  /** Id of the group. */
  @RowId() id!: number;
}

/** Operations on groups of servers, for administrators with access to all servers. Source: docs/panel-api.md "Groups of servers". */
@Injectable()
export class ServerGroupOperations {
  constructor(
    private readonly groups: ServerGroups,
    private readonly rows: ServerGroupRows,
  ) {}

  @Operation({ side: 'admin', gn: 'listbtz', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(): Promise<ListReply> {
    const rows = await this.rows.all();
    return new ListReply(rows.length, rows);
  }

  /** Lists the servers of a group, their usage, and why a server gets no new hosts. */
  @Operation({ side: 'admin', gn: 'listbtzcy', auth: 'admin', input: GroupServersInput, audit: null, rate: 'read' })
  async servers({ id, page, limit }: GroupServersInput): Promise<ListReply> {
    const rows = await this.rows.servers(await this.groups.existing(id));
    return new ListReply(rows.length, rows.slice((page - 1) * limit, page * limit));
  }

  @Operation({ side: 'admin', gn: 'btzbc', auth: 'admin', input: SaveGroupInput, audit: 'hosting.audit_group_save', rate: 'write' })
  async save({ id, bh, mc, gz, nodes, row_version }: SaveGroupInput): Promise<SuccessReply> {
    const { ids, invalid } = readIdList(nodes);
    if (invalid.length > 0) throw new NodeError('GROUP_SERVER', {}, { nodes: 'hosting.field_group_server' });
    const values = { name: mc, rule: gz, servers: ids };
    if (id === 0 && !bh) throw new NodeError('GROUP_CODE', {}, { bh: 'hosting.field_group_code' });
    const group =
      id === 0
        ? await this.groups.add(bh!, values)
        : await this.groups.change(id, values, (present, servers) => checkVersion(row_version, groupForm(present, servers)));
    return new SuccessReply('hosting.group_saved', { id: group.id, bh: group.code });
  }

  /** Removes a group. Its servers and their hosts stay; references to it can no longer open hosts. */
  @Operation({ side: 'admin', gn: 'btzsc', auth: 'admin', input: GroupIdInput, audit: 'hosting.audit_group_delete', rate: 'write' })
  async remove({ id }: GroupIdInput): Promise<SuccessReply> {
    const group = await this.groups.remove(id);
    return new SuccessReply('hosting.deleted', { id }, { bh: group.code });
  }
}

import { Injectable } from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';

import { AdminRoles, accessOf, accessOfRole, type RoleValues } from '../auth/index.js';
import { localeOf } from '../common/index.js';
import { checkVersion, VersionField, versionOf } from '../http/index.js';
import { ListReply, NoInput, Operation, SuccessReply, Switch, Trimmed, WholeNumber, readIdList } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccessError } from './errors.js';
import { namesOf } from './names.js';
import { PermissionWords } from './permission-words.js';
import { roleForm } from './role-form.js';
import { ServersOfRoles, codesOf } from './servers-of-roles.js';

class SaveRoleInput {
  /** Id of the role to change; 0 or missing creates one. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) id = 0;
  @Trimmed() @IsString() @MaxLength(64) name!: string;
  /** Names of operations and patterns (`zj*`): a JSON array, or a list with commas. */
  @IsOptional() @IsString() @MaxLength(16_000) qx = '';
  /** Additional patterns in the same format, if a form has a separate field for them. */
  @IsOptional() @IsString() @MaxLength(16_000) qxmb = '';
  /** Whether the role is limited to `nodes`; defaults to whether `nodes` is not empty. */
  @IsOptional() @Switch() @IsBoolean() xz?: boolean;
  /** Ids of servers (`listbt`): a JSON array, or a list with commas. */
  @IsOptional() @IsString() @MaxLength(4_000) nodes = '';
  @VersionField() row_version?: string;
}

class RoleIdInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** Roles of administrators. Source: docs/panel-api.md "Roles". */
@Injectable()
export class RoleOperations {
  constructor(
    private readonly roles: AdminRoles,
    private readonly words: PermissionWords,
    private readonly servers: ServersOfRoles,
  ) {}

  @Operation({ side: 'admin', gn: 'listjs', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const locale = localeOf(ctx.locale);
    const [rows, counts, servers] = await Promise.all([this.roles.list(), this.roles.counts(), this.servers.list(null)]);
    const codes = codesOf(servers);
    const lines = rows.map((role) => {
      const form = roleForm(role, this.words, codes);
      return {
        id: String(role.id),
        name: role.name,
        qx: role.patterns,
        qxmc: this.words.describe(accessOfRole(role), locale),
        qxmb: form.qxmb,
        nodes: role.servers ?? [],
        xz: String(form.xz),
        jdmc: form.nodes,
        sl: String(counts.get(role.id) ?? 0),
        row_version: versionOf(form),
      };
    });
    return new ListReply(rows.length, lines);
  }

  @Operation({
    side: 'admin',
    gn: 'jsbc',
    auth: 'admin',
    input: SaveRoleInput,
    audit: 'access.audit.role_save',
    rate: 'write',
    secondProof: true,
  })
  async save({ id, name, qx, qxmb, xz, nodes, row_version }: SaveRoleInput, { admin }: CallContext): Promise<SuccessReply> {
    const { ids, invalid } = readIdList(nodes);
    const limited = xz ?? ids.length + invalid.length > 0;
    if (limited) await this.checkServers(ids, invalid);
    const values: RoleValues = { name, patterns: [...namesOf(qx), ...namesOf(qxmb)], servers: limited ? ids : null };
    const giver = accessOf(admin);
    if (id > 0) {
      const codes = codesOf(await this.servers.list(null));
      await this.roles.change(id, values, giver, (present) => checkVersion(row_version, roleForm(present, this.words, codes)));
    }
    const saved = id > 0 ? id : await this.roles.add(values, giver);
    return new SuccessReply('access.role_saved', { id: saved });
  }

  @Operation({
    side: 'admin',
    gn: 'jssc',
    auth: 'admin',
    input: RoleIdInput,
    audit: 'access.audit.role_remove',
    rate: 'write',
    secondProof: true,
  })
  async remove({ id }: RoleIdInput, { admin }: CallContext): Promise<SuccessReply> {
    const name = (await this.roles.find(id))?.name ?? String(id);
    await this.roles.remove(id, accessOf(admin));
    return new SuccessReply('access.role_removed', { id }, { name });
  }

  private async checkServers(ids: readonly number[], invalid: readonly string[]): Promise<void> {
    const known = new Set((await this.servers.list(null)).map(({ id }) => id));
    const unknown = [...invalid, ...ids.filter((id) => !known.has(id)).map(String)];
    if (unknown.length === 0) return;
    throw new AccessError('SERVER_UNKNOWN', { id: unknown[0]! }, { nodes: { key: 'access.server_unknown', params: { id: unknown[0]! } } });
  }
}

import { Injectable } from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';

import { AdministratorAccounts, AdminRoles, SecondFactors, SessionService, accessOf, type Administrator } from '../auth/index.js';
import { legacyTime } from '../common/index.js';
import { AppConfig } from '../config/index.js';
import { checkVersion, type FormValues, VersionField, versionOf } from '../http/index.js';
import { ListReply, NoInput, Operation, SuccessReply, Switch, Trimmed, WholeNumber } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { AccessError } from './errors.js';

class AddAdministratorInput {
  @Trimmed() @IsString() @MaxLength(64) user!: string;
  @IsString() @MaxLength(256) pass!: string;
  /** Role id (`listjs`); 0 grants everything. */
  @WholeNumber() @IsInt() @Min(0) js_id!: number;
  /** Whether sign-in is allowed. */
  @IsOptional() @Switch() @IsBoolean() kg = true;
}

class ChangeAdministratorInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
  /** Empty keeps the current value. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user?: string;
  /** Empty keeps the current value. */
  @IsOptional() @IsString() @MaxLength(256) pass?: string;
  /** As in `addadmin`. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) js_id?: number;
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  @VersionField() row_version?: string;
}

class AdministratorIdInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** An administrator on the wire: every value is text. */
interface AdministratorLine {
  id: string;
  user: string;
  /** Role id; 0 grants everything. */
  js_id: string;
  /** Role name; empty if everything is granted. */
  js: string;
  /** `true` if sign-in is allowed. */
  kg: string;
  /** `true` for the caller. */
  me: string;
  /** When the most recently used session was last seen; empty without a session. */
  last: string;
  /** `true` if a second factor is set up. */
  f2: string;
  /** Number of sessions. */
  hhs: string;
  date: string;
  /** Version of the form's values, for `adminxg`. */
  row_version: string;
}

/** Administrator accounts. Source: docs/panel-api.md "Administrators". */
@Injectable()
export class AdministratorOperations {
  constructor(
    private readonly accounts: AdministratorAccounts,
    private readonly roles: AdminRoles,
    private readonly sessions: SessionService,
    private readonly factors: SecondFactors,
    private readonly config: AppConfig,
  ) {}

  @Operation({ side: 'admin', gn: 'listadmin', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, { admin }: CallContext): Promise<ListReply<AdministratorLine>> {
    const [rows, names] = await Promise.all([this.accounts.list(), this.roleNames()]);
    const lines = rows.map(async (one): Promise<AdministratorLine> => {
      const { id, username, enabled, roleId, createdAt } = one;
      const open = await this.sessions.list('admin', id);
      const last = open.reduce((newest, { seenAt }) => Math.max(newest, seenAt.getTime()), 0);
      return {
        id: String(id),
        user: username,
        js_id: String(roleId ?? 0),
        js: roleId === null ? '' : (names.get(roleId) ?? '–'),
        kg: String(enabled),
        me: String(id === admin!.id),
        last: last === 0 ? '' : legacyTime(new Date(last), this.config.timezone),
        f2: String(await this.factors.enabled('admin', id)),
        hhs: String(open.length),
        date: legacyTime(createdAt, this.config.timezone),
        row_version: versionOf(administratorForm(one, names)),
      };
    });
    return new ListReply(rows.length, await Promise.all(lines));
  }

  @Operation({
    side: 'admin',
    gn: 'addadmin',
    auth: 'admin',
    input: AddAdministratorInput,
    audit: 'access.audit.admin_add',
    rate: 'write',
    secondProof: true,
  })
  async add({ user, pass, kg, js_id }: AddAdministratorInput, { admin }: CallContext): Promise<SuccessReply> {
    const values = { username: user, password: pass, enabled: kg, roleId: js_id || null };
    const id = await this.accounts.add(values, accessOf(admin));
    return new SuccessReply('access.admin_added', { id }, { user });
  }

  /** Changes another administrator; one's own account is changed by `gl`. A new password ends that administrator's sessions. */
  @Operation({
    side: 'admin',
    gn: 'adminxg',
    auth: 'admin',
    input: ChangeAdministratorInput,
    audit: 'access.audit.admin_change',
    rate: 'write',
    secondProof: true,
  })
  async change({ id, user, pass, kg, js_id, row_version }: ChangeAdministratorInput, ctx: CallContext): Promise<SuccessReply> {
    refuseOneself(id, ctx);
    const roleId = js_id === undefined ? undefined : js_id || null;
    const values = { username: user || undefined, password: pass || undefined, enabled: kg, roleId };
    const names = await this.roleNames();
    await this.accounts.change(id, values, accessOf(ctx.admin), (present) => checkVersion(row_version, administratorForm(present, names)));
    return new SuccessReply('access.admin_changed', { id }, { name: await this.nameOf(id) });
  }

  @Operation({
    side: 'admin',
    gn: 'adminsc',
    auth: 'admin',
    input: AdministratorIdInput,
    audit: 'access.audit.admin_remove',
    rate: 'write',
    secondProof: true,
  })
  async remove({ id }: AdministratorIdInput, ctx: CallContext): Promise<SuccessReply> {
    refuseOneself(id, ctx);
    const name = await this.nameOf(id);
    await this.accounts.remove(id, accessOf(ctx.admin));
    return new SuccessReply('access.admin_removed', { id }, { name });
  }

  /** Removes a lost second factor: sign-in needs only the password until another one is set up. */
  @Operation({
    side: 'admin',
    gn: 'adminf2',
    auth: 'admin',
    input: AdministratorIdInput,
    audit: 'access.audit.admin_f2',
    rate: 'write',
    secondProof: true,
  })
  async removeSecondFactor({ id }: AdministratorIdInput, ctx: CallContext): Promise<SuccessReply> {
    refuseOneself(id, ctx);
    const name = await this.nameOf(id);
    if (!(await this.accounts.removeSecondFactor(id, accessOf(ctx.admin)))) throw new AccessError('NO_SECOND_FACTOR');
    return new SuccessReply('access.f2_removed', { id }, { name });
  }

  private async roleNames(): Promise<ReadonlyMap<number, string>> {
    return new Map((await this.roles.list()).map(({ id, name }) => [id, name]));
  }

  private async nameOf(id: number): Promise<string> {
    return (await this.accounts.list()).find((one) => one.id === id)?.username ?? String(id);
  }
}

/** Form values of an administrator, by field name; the role is shown by its name for the operation log. */
function administratorForm({ username, passwordHash, enabled, roleId }: Administrator, names: ReadonlyMap<number, string>): FormValues {
  const role = roleId === null ? '*' : (names.get(roleId) ?? '–');
  return { user: username, pass: { secret: passwordHash }, js_id: role, kg: enabled };
}

/** Prevents administrators from locking themselves out by accident; another administrator has to remove them. */
function refuseOneself(id: number, { admin }: CallContext): void {
  if (id === admin!.id) throw new AccessError('ONESELF');
}

import { Injectable } from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength, Min, ValidateBy } from 'class-validator';

import { Access, ApiKeys, accessOf, type ApiKey, type ApiKeyValues } from '../auth/index.js';
import { DAY_MS, isDay, legacyDay, legacyTime, localeOf } from '../common/index.js';
import { ZonedClock } from '../config/index.js';
import { checkVersion, VersionField, versionOf } from '../http/index.js';
import { ListReply, NoInput, Operation, SuccessReply, Switch, Trimmed, WholeNumber } from '../operations/index.js';
import type { CallContext } from '../sdk/index.js';

import { keyForm } from './key-form.js';
import { namesOf } from './names.js';
import { PermissionWords } from './permission-words.js';

class AddKeyInput {
  @Trimmed() @IsString() @MaxLength(40) name!: string;
  /** Names of operations and patterns: a JSON array, or a list with commas. */
  @IsOptional() @IsString() @MaxLength(16_000) qx = '';
  /** Additional patterns in the same format. */
  @IsOptional() @IsString() @MaxLength(16_000) qxmb = '';
  /** Allowed client addresses and networks; empty allows all. */
  @IsOptional() @IsString() @MaxLength(12_000) ips = '';
  /** Last valid day in UTC, `YYYY-MM-DD`; empty for no expiry. */
  @IsOptional()
  @Trimmed()
  @ValidateBy(
    { name: 'isDay', validator: { validate: (value) => value === '' || (typeof value === 'string' && isDay(value)) } },
    { message: 'access.key_day' },
  )
  dq = '';
  @IsOptional() @Switch() @IsBoolean() kg = true;
}

class ChangeKeyInput extends AddKeyInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
  @VersionField() row_version?: string;
}

class KeyIdInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** API keys. Source: docs/panel-api.md "API keys". */
@Injectable()
export class ApiKeyListOperations {
  constructor(
    private readonly keys: ApiKeys,
    private readonly words: PermissionWords,
    private readonly clock: ZonedClock,
  ) {}

  @Operation({ side: 'admin', gn: 'listmy', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<ListReply> {
    const rows = await this.keys.list();
    const now = this.clock.now();
    const lines = rows.map((key) => {
      const form = keyForm(key, this.words);
      return {
        id: String(key.id),
        name: key.name,
        qx: key.patterns,
        qxmc: this.words.describe(new Access(key.patterns, null), localeOf(ctx.locale)),
        qxmb: form.qxmb,
        ips: form.ips,
        dq: form.dq,
        kg: String(key.enabled),
        zt: !key.enabled ? 'off' : key.expiresAt && key.expiresAt <= now ? 'over' : 'on',
        sl: String(key.uses),
        last: key.usedAt ? legacyTime(key.usedAt, this.clock.timezone) : '',
        date: legacyDay(key.createdAt, this.clock.timezone),
        row_version: versionOf(form),
      };
    });
    return new ListReply(rows.length, lines);
  }

  /** The only response that contains the secret. */
  @Operation({
    side: 'admin',
    gn: 'addmy',
    auth: 'admin',
    input: AddKeyInput,
    audit: 'access.audit.key_add',
    rate: 'write',
    secondProof: true,
  })
  async add(input: AddKeyInput, { admin }: CallContext): Promise<SuccessReply> {
    const { id, secret } = await this.keys.add(valuesOf(input), accessOf(admin));
    return new SuccessReply('access.key_added', { id, secret }, { name: input.name });
  }

  @Operation({
    side: 'admin',
    gn: 'myxg',
    auth: 'admin',
    input: ChangeKeyInput,
    audit: 'access.audit.key_change',
    rate: 'write',
    secondProof: true,
  })
  async change({ id, row_version, ...input }: ChangeKeyInput, { admin }: CallContext): Promise<SuccessReply> {
    const check = (present: ApiKey): void => checkVersion(row_version, keyForm(present, this.words));
    await this.keys.change(id, valuesOf(input), accessOf(admin), check);
    return new SuccessReply('access.key_changed', { id }, { name: input.name });
  }

  @Operation({ side: 'admin', gn: 'mysc', auth: 'admin', input: KeyIdInput, audit: 'access.audit.key_remove', rate: 'write' })
  async remove({ id }: KeyIdInput, { admin }: CallContext): Promise<SuccessReply> {
    const name = (await this.keys.find(id))?.name ?? String(id);
    await this.keys.remove(id, accessOf(admin));
    return new SuccessReply('access.key_removed', { id }, { name });
  }
}

function valuesOf({ name, qx, qxmb, ips, dq, kg }: AddKeyInput): ApiKeyValues {
  const expiresAt = dq === '' ? null : new Date(Date.parse(`${dq}T00:00:00Z`) + DAY_MS);
  return { name, patterns: [...namesOf(qx), ...namesOf(qxmb)], addresses: ips, expiresAt, enabled: kg };
}

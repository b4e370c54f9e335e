import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';

import { EmptyIsUnset, VersionField } from '../../http/index.js';
import { ListInput, OneOf, RowId, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import { MAX_BACKUPS, MAX_MONITORS } from '../accounts/index.js';
import { MAX_RENEWAL_DAYS } from '../calendar.js';
import type { AccountState } from '../entities/index.js';

const STATES: AccountState[] = ['provisioning', 'active', 'paused', 'terminating', 'failed'];
const MAX_QUOTA = 2_000_000_000;
/** Maximum length of a date in any format, with a margin. */
const MAX_DATE = 40;

/** A limit of a host: `""` is null, the default of the installation's settings; undefined if omitted. */
const CountField = (max: number, message: string) => (): PropertyDecorator => (target, property) => {
  const read = Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    const text = value.trim();
    return text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : value;
  });
  const fits = { message };
  for (const decorate of [IsOptional(), read, IsInt(fits), Min(0, fits), Max(max, fits)]) decorate(target, property);
};
const MonitorsField = CountField(MAX_MONITORS, 'hosting.field_monitors');
const BackupsField = CountField(MAX_BACKUPS, 'hosting.field_backups');

/** Fields of `listzj`. */
export class HostListInput extends ListInput {
  /** Code of a node: only its accounts. */
  @IsOptional() @IsString() @MaxLength(64) btdh?: string;
  /** Only accounts in this state. */
  @IsOptional() @EmptyIsUnset() @IsIn(STATES) zjzt?: AccountState;
  /**
   * Days left. n: accounts whose last day is today or within n days; -1: expired accounts; -7: accounts that expired within the last 7
   * days.
   */
  @IsOptional() @WholeNumber() @IsInt() @Min(-3_650) @Max(3_650) dq_days?: number;
  /** Only accounts opened within this number of days, today included. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(3_650) kt_days?: number;
  /** Only these accounts: a JSON array or a comma-separated list, at most 500 ids. */
  @IsOptional() @EmptyIsUnset() @IsString() @MaxLength(20_000) idsz?: string;
}

/** Formats of `zjdc`: a table for people, or the rows of `listzj` for programs. */
const EXPORT_KINDS = ['csv', 'json'] as const;

/** Fields of `zjdc`. */
export class ExportHostsInput extends HostListInput {
  /** Alias of `idsz`. */
  @IsOptional() @IsString() @MaxLength(20_000) ids?: string;
  @IsOptional() @OneOf(EXPORT_KINDS) gs: (typeof EXPORT_KINDS)[number] = 'csv';
}

/** Fields of `addzj`. */
export class AddHostInput {
  @Trimmed() @IsString() @MaxLength(64) btdh!: string;
  @Trimmed() @IsString() @MaxLength(64) user!: string;
  @IsString() @MaxLength(64) pass!: string;
  /** Last day; empty, `0` or `0000-00-00`: never expires. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(MAX_DATE) datae?: string;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) webkj?: number;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) sqlkj?: number;
  /** GB per month. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ll?: number;
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ymbds?: number;
  @MonitorsField() jk_max?: number | null;
  @BackupsField() bf_max?: number | null;
  /** Address for the owner's notices. */
  @IsOptional() @Trimmed() @EmptyIsUnset() @IsString() mailuser?: string;
  /** Off: the account starts paused by the administrator. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** PHP version of its site, `82` or `8.2`; empty: the server's default for new sites. */
  @IsOptional()
  @Trimmed()
  @EmptyIsUnset()
  @Matches(/^(?:\d{2,3}|\d\.\d{1,2})$/, { message: 'siteprograms.php_version' })
  php?: string;
  /** Idempotency key: repeating it returns the same account. */
  @IsOptional() @EmptyIsUnset() @Matches(/^[\x21-\x7e]{1,100}$/) qqh?: string;
}

/** Identifies a host. */
export class HostIdInput {
  @RowId() id!: number;
}

/** Fields of `zjxgjl`; missing or empty ones stay unchanged. */
export class EditHostInput extends HostIdInput {
  /** Only accepted if it is the present name, which cannot be changed. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user?: string;
  /** New password. */
  @IsOptional() @IsString() @MaxLength(64) pass?: string;
  /** Name of the database account, which cannot be changed. */
  @IsOptional() @IsString() @MaxLength(64) sqluser?: string;
  /** New database password, on a server with one database per site. */
  @IsOptional() @IsString() @MaxLength(64) sqlpass?: string;
  /** Last day; `0` or `0000-00-00`: never expires. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(MAX_DATE) datar?: string;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) webkj?: number;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) sqlkj?: number;
  /** GB per month. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) llmax?: number;
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ymbds?: number;
  @MonitorsField() jk_max?: number | null;
  @BackupsField() bf_max?: number | null;
  /** Address for the owner's notices; empty: none. */
  @IsOptional()
  @Trimmed()
  @MaxLength(254)
  @ValidateIf((_, value) => value !== '')
  @IsEmail({}, { message: 'hosting.field_email' })
  mailuser?: string;
  /** false pauses the host, true ends the administrators' pause. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  @VersionField() row_version?: string;
}

/** Fields of `zjxf`. */
export class RenewHostInput extends HostIdInput {
  /** Last day; `0` or `0000-00-00`: never expires. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(MAX_DATE) datae = '';
  /** Days to add, instead of a date. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(MAX_RENEWAL_DAYS) ts?: number;
}

/** Fields of `zjczmm`. */
export class HostPasswordInput extends HostIdInput {
  @IsString() @MinLength(6) @MaxLength(64) pass!: string;
}

/** Fields of `zjmode`: at least one limit. */
export class HostQuotaInput extends HostIdInput {
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) webkj?: number;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) sqlkj?: number;
  /** GB per month. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ll?: number;
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ymbds?: number;
  @MonitorsField() jk_max?: number | null;
  @BackupsField() bf_max?: number | null;
}

/** How sites are deleted: `hs` keeps them if their server can, `cd` removes them permanently. */
const DeletionField = (): PropertyDecorator => (target, property) => {
  for (const decorate of [IsOptional(), EmptyIsUnset(), IsIn(['hs', 'cd'], { message: 'hosting.field_deletion' })])
    decorate(target, property);
};

/** Fields of `zjsc`. */
export class DeleteHostInput extends HostIdInput {
  /** User name of the host, as a confirmation. */
  @IsOptional() @EmptyIsUnset() @IsString() @MaxLength(64) qr?: string;
  @DeletionField() ms?: 'hs' | 'cd';
}

/** Fields of `zjscxz`. */
export class HostIdsInput {
  @DeletionField() ms?: 'hs' | 'cd';
  /** A JSON array or a comma-separated list, at most 500 ids. */
  @IsString() @MaxLength(20_000) idsz!: string;
}

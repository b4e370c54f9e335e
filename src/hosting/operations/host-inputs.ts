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
/** Longest of the forms a date comes in, with room. */
const MAX_DATE = 40;

/**
 * How many of something a host may have: `""` is null, as many as the settings of the installation say. What
 * is not sent at all is undefined.
 */
const CountField = (most: number, message: string) => (): PropertyDecorator => (target, property) => {
  const read = Transform(({ value }: { value: unknown }) => {
    if (typeof value !== 'string') return value;
    const text = value.trim();
    return text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : value;
  });
  const fits = { message };
  for (const decorate of [IsOptional(), read, IsInt(fits), Min(0, fits), Max(most, fits)]) decorate(target, property);
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
   * Days left: only accounts whose last day is today or within so many days; -1: whose last day is over; -7: whose
   * last day was in the last 7 days.
   */
  @IsOptional() @WholeNumber() @IsInt() @Min(-3_650) @Max(3_650) dq_days?: number;
  /** Only accounts that were opened today or in the days before, so many in all. */
  @IsOptional() @WholeNumber() @IsInt() @Min(1) @Max(3_650) kt_days?: number;
  /** Only these accounts: a JSON array or a list with commas, at most 500 ids. */
  @IsOptional() @EmptyIsUnset() @IsString() @MaxLength(20_000) idsz?: string;
}

/** What `zjdc` writes: a table for people, or the rows of `listzj` for programs. */
const EXPORT_KINDS = ['csv', 'json'] as const;

/** Fields of `zjdc`. */
export class ExportHostsInput extends HostListInput {
  /** The same as `idsz`. */
  @IsOptional() @IsString() @MaxLength(20_000) ids?: string;
  @IsOptional() @OneOf(EXPORT_KINDS) gs: (typeof EXPORT_KINDS)[number] = 'csv';
}

/** Fields of `addzj`. */
export class AddHostInput {
  @Trimmed() @IsString() @MaxLength(64) btdh!: string;
  @Trimmed() @IsString() @MaxLength(64) user!: string;
  @IsString() @MaxLength(64) pass!: string;
  /** Last day; empty, `0` or `0000-00-00` never expires. */
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
  /** Address notices for the owner go to. */
  @IsOptional() @Trimmed() @EmptyIsUnset() @IsString() mailuser?: string;
  /** Off: the account starts paused by the administrator. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** Version of PHP its site runs, `82` or `8.2`; empty: what the server gives new sites. */
  @IsOptional()
  @Trimmed()
  @EmptyIsUnset()
  @Matches(/^(?:\d{2,3}|\d\.\d{1,2})$/, { message: 'siteprograms.php_version' })
  php?: string;
  /** Request number: the same one twice adds one account. */
  @IsOptional() @EmptyIsUnset() @Matches(/^[\x21-\x7e]{1,100}$/) qqh?: string;
}

/** Names one host. */
export class HostIdInput {
  @RowId() id!: number;
}

/** Fields of `zjxgjl`: what is missing or empty stays as it is. */
export class EditHostInput extends HostIdInput {
  /** Of use only to say that a host keeps its name. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(64) user?: string;
  /** New password. */
  @IsOptional() @IsString() @MaxLength(64) pass?: string;
  /** Account of the database, which keeps its name. */
  @IsOptional() @IsString() @MaxLength(64) sqluser?: string;
  /** New password of the database, where the server has one for each site. */
  @IsOptional() @IsString() @MaxLength(64) sqlpass?: string;
  /** Last day; `0` or `0000-00-00` never expires. */
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
  /** Address notices for the owner go to; empty: none. */
  @IsOptional()
  @Trimmed()
  @MaxLength(254)
  @ValidateIf((_, value) => value !== '')
  @IsEmail({}, { message: 'hosting.field_email' })
  mailuser?: string;
  /** Whether it is to run. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  @VersionField() row_version?: string;
}

/** Fields of `zjxf`. */
export class RenewHostInput extends HostIdInput {
  /** Last day; `0` or `0000-00-00` never expires. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(MAX_DATE) datae = '';
  /** In its place: days more than it has. */
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

/** What becomes of deleted sites: `hs` keeps them where their server can, `cd` destroys them. */
const DeletionField = (): PropertyDecorator => (target, property) => {
  for (const decorate of [IsOptional(), EmptyIsUnset(), IsIn(['hs', 'cd'], { message: 'hosting.field_deletion' })])
    decorate(target, property);
};

/** Fields of `zjsc`. */
export class DeleteHostInput extends HostIdInput {
  /** User name of the host, to be sure. */
  @IsOptional() @EmptyIsUnset() @IsString() @MaxLength(64) qr?: string;
  @DeletionField() ms?: 'hs' | 'cd';
}

/** Fields of `zjscxz`. */
export class HostIdsInput {
  @DeletionField() ms?: 'hs' | 'cd';
  /** A JSON array or a list with commas, at most 500 ids. */
  @IsString() @MaxLength(20_000) idsz!: string;
}

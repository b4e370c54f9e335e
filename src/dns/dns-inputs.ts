import { IsInt, IsNotEmpty, IsObject, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { VersionField } from '../http/index.js';
import { JsonText, ListInput, OneOf, RowId, RowIdOrZero, Trimmed, WholeNumber } from '../operations/index.js';

import { type EntryState, OWN_TYPES, type OwnType } from './entities/index.js';
import { MAX_TEXT_LENGTH } from './record-rules.js';

/** Fields of `p_dns_provider_save`. */
export class SaveProviderInput {
  /** Id of the provider to change; 0 or omitted adds one. */
  @IsOptional() @RowIdOrZero() id = 0;
  /** Kind, required for a new one; for a plugin's kind `{plugin}:{kind}`. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) slug = '';
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  /** Field values: `cs[token]=…`; an empty secret keeps its value. */
  @IsOptional() @JsonText() @IsObject() cs: Record<string, string | number | boolean | null> = {};
  @VersionField() row_version?: string;
}

/** Fields of `p_dns_sites_save`. */
export class SiteNamesInput {
  /** Id of a provider; 0 for none. */
  @RowIdOrZero() provider_id!: number;
}

/** Identifies a row. */
export class DnsIdInput {
  @RowId() id!: number;
}

/** Fields of `p_dns_record_list`. */
export class DnsEntryListInput extends ListInput {
  /** Filters by state; all if omitted. */
  @IsOptional() @OneOf(['waiting', 'done', 'failed']) state?: EntryState;
}

/** Fields of the owners' `p_dns_record_list`. */
export class OwnRecordListInput extends ListInput {
  /** A name of the caller; all if omitted. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(253) domain = '';
  @IsOptional() @OneOf(OWN_TYPES) type?: OwnType;
}

/** Value fields of a record. */
class RecordFields {
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(MAX_TEXT_LENGTH + 2) value!: string;
  /** Seconds. */
  @IsOptional()
  @WholeNumber()
  @IsInt({ message: 'dns.ttl_rule' })
  @Min(600, { message: 'dns.ttl_rule' })
  @Max(86_400, { message: 'dns.ttl_rule' })
  ttl = 600;
}

/** Fields of `p_dns_record_add`. */
export class AddRecordInput extends RecordFields {
  /** A name of the caller. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(253) domain!: string;
  /** Labels below it; `@` for the name itself. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(253) name = '@';
  @OneOf(OWN_TYPES) type!: OwnType;
}

/** Fields of `p_dns_record_save`. */
export class ChangeRecordInput extends RecordFields {
  @RowId() id!: number;
  @VersionField() row_version?: string;
}

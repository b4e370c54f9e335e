import { IsInt, IsNotEmpty, IsObject, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { VersionField } from '../http/index.js';
import { JsonText, ListInput, OneOf, RowId, RowIdOrZero, Trimmed, WholeNumber } from '../operations/index.js';

import { type EntryState, OWN_TYPES, type OwnType } from './entities/index.js';
import { LONGEST_TEXT } from './record-rules.js';

/** Fields of `p_dns_provider_save`. */
export class SaveProviderInput {
  /** Which one is changed; 0 or left out adds one. */
  @IsOptional() @RowIdOrZero() id = 0;
  /** Its kind, needed for a new one; of a plugin `{plugin}:{kind}`. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) slug = '';
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  /** Its fields: `cs[token]=…`; a secret that is left empty stays. */
  @IsOptional() @JsonText() @IsObject() cs: Record<string, string | number | boolean | null> = {};
  @VersionField() row_version?: string;
}

/** Fields of `p_dns_sites_save`. */
export class SiteNamesInput {
  /** 0: none. */
  @RowIdOrZero() provider_id!: number;
}

/** Names one row. */
export class DnsIdInput {
  @RowId() id!: number;
}

/** Fields of `p_dns_record_list`. */
export class DnsEntryListInput extends ListInput {
  /** How they stand; all without it. */
  @IsOptional() @OneOf(['waiting', 'done', 'failed']) state?: EntryState;
}

/** Fields of the owners' `p_dns_record_list`. */
export class OwnRecordListInput extends ListInput {
  /** A name of the caller's; all without it. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(253) domain = '';
  @IsOptional() @OneOf(OWN_TYPES) type?: OwnType;
}

/** What a record says. */
class RecordFields {
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(LONGEST_TEXT + 2) value!: string;
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
  /** A name of the caller's. */
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(253) domain!: string;
  /** What stands before it; `@`: nothing. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(253) name = '@';
  @OneOf(OWN_TYPES) type!: OwnType;
}

/** Fields of `p_dns_record_save`. */
export class ChangeRecordInput extends RecordFields {
  @RowId() id!: number;
  @VersionField() row_version?: string;
}

import { IsInt, IsNotEmpty, IsObject, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { JsonText, ListInput, OneOf, Trimmed, WholeNumber } from '../operations/index.js';

import type { EntryState } from './entities/index.js';

const MAX_ID = 2_147_483_647;

/** Fields of `p_dns_provider_save`. */
export class SaveProviderInput {
  /** Which one is changed; 0 or left out adds one. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_ID) id = 0;
  /** Its kind, needed for a new one; of a plugin `{plugin}:{kind}`. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) slug = '';
  @Trimmed() @IsString() @IsNotEmpty() @MaxLength(100) name!: string;
  /** Its fields: `cs[token]=…`; a secret that is left empty stays. */
  @IsOptional() @JsonText() @IsObject() cs: Record<string, string | number | boolean | null> = {};
}

/** Names one row. */
export class DnsIdInput {
  @WholeNumber() @IsInt() @Min(1) @Max(MAX_ID) id!: number;
}

/** Fields of `p_dns_record_list`. */
export class EntryListInput extends ListInput {
  /** How they stand; all without it. */
  @IsOptional() @OneOf(['waiting', 'done', 'failed']) state?: EntryState;
}

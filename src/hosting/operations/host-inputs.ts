import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { ListInput, Switch, Trimmed, WholeNumber } from '../../operations/index.js';
import type { AccountState } from '../entities/index.js';

const STATES: AccountState[] = ['provisioning', 'active', 'paused', 'terminating', 'failed'];
const MAX_QUOTA = 2_000_000_000;
const emptyIsUnset = ({ value }: { value: unknown }): unknown => (value === '' ? undefined : value);

/** Fields of `listzj`. */
export class HostListInput extends ListInput {
  /** Code of a node: only its accounts. */
  @IsOptional() @IsString() @MaxLength(64) btdh?: string;
  /** Only accounts in this state. */
  @IsOptional() @Transform(emptyIsUnset) @IsIn(STATES) zjzt?: AccountState;
}

/** Fields of `addzj`. */
export class AddHostInput {
  @Trimmed() @IsString() @MaxLength(64) btdh!: string;
  @Trimmed() @IsString() @MaxLength(64) user!: string;
  @IsString() @MaxLength(64) pass!: string;
  /** Last day; empty, `0` or `0000-00-00` never expires. */
  @IsOptional() @IsString() @MaxLength(10) datae?: string;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) webkj?: number;
  /** MB. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) sqlkj?: number;
  /** GB per month. */
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ll?: number;
  @IsOptional() @WholeNumber() @IsInt() @Min(0) @Max(MAX_QUOTA) ymbds?: number;
  /** Off: the account starts paused by the administrator. */
  @IsOptional() @Switch() @IsBoolean() kg?: boolean;
  /** Request number: the same one twice adds one account. */
  @IsOptional() @Transform(emptyIsUnset) @Matches(/^[\x21-\x7e]{1,100}$/) qqh?: string;
}

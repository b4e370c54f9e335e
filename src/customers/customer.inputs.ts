import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';

import { VersionField } from '../http/index.js';
import { ListInput, Trimmed, WholeNumber } from '../operations/index.js';

/** Fields of `listyh`. */
export class ListCustomersInput extends ListInput {
  /** `1` active, `0` locked. */
  @IsOptional() @Transform(({ value }) => String(value)) @IsIn(['', '0', '1']) status = '';
}

/** Identifies a customer. */
export class CustomerIdInput {
  @WholeNumber() @IsInt() @Min(1) id!: number;
}

/** Fields of `addyh`. */
export class AddCustomerInput {
  @Trimmed() @IsString() @MaxLength(64) username!: string;
  @IsString() @MaxLength(256) pass!: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(254) email = '';
  @IsOptional() @Trimmed() @IsString() @MaxLength(20) qq = '';
  /** `1` active, `0` locked. */
  @IsOptional() @Transform(({ value }) => String(value)) @IsIn(['0', '1']) status = '1';
}

/** Fields of `yhxg`; missing ones are kept. */
export class ChangeCustomerInput extends CustomerIdInput {
  @IsOptional() @Trimmed() @IsString() @MaxLength(254) email?: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(20) qq?: string;
  @VersionField() row_version?: string;
}

/** Fields of `yhkg`. */
export class SwitchCustomerInput extends CustomerIdInput {
  /** `1` active, `0` locked. */
  @Transform(({ value }) => String(value)) @IsIn(['0', '1']) status!: string;
}

/** Fields of `yhczmm`. */
export class ResetCustomerPasswordInput extends CustomerIdInput {
  /** Empty: creates a link by which the customer sets one. */
  @IsOptional() @IsString() @MaxLength(256) pass = '';
}

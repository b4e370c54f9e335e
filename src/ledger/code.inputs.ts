import { IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';

import { isDay } from '../common/index.js';
import { EmptyIsUnset } from '../http/index.js';
import { ListInput, OneOf, RowId, Trimmed, WholeNumber } from '../operations/index.js';

import { MAX_CODES } from './code-batches.js';
import { signedFen } from './ledger.inputs.js';

const IsCodeAmount = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isCodeAmount',
      validator: { validate: (value: unknown) => typeof value === 'string' && /^\d/.test(value) && signedFen(value) !== null },
    },
    { message: 'ledger.field_code_amount' },
  );

/** Identifies a batch. */
export class BatchIdInput {
  @RowId() id!: number;
}

/** Fields of `adddhm`. */
export class BatchInput {
  /** Value of each code in yuan. */
  @Trimmed() @IsCodeAmount() rmb!: string;
  /** Number of codes. */
  @WholeNumber()
  @IsInt({ message: 'ledger.field_code_count' })
  @Min(1, { message: 'ledger.field_code_count' })
  @Max(MAX_CODES, { message: 'ledger.field_code_count' })
  sl!: number;
  /** A note. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) name = '';
  /** Last valid day; empty: unlimited. */
  @IsOptional()
  @EmptyIsUnset()
  @ValidateBy(
    { name: 'isDay', validator: { validate: (value) => typeof value === 'string' && isDay(value) } },
    { message: 'ledger.field_code_day' },
  )
  dateb?: string;
}

/** Fields of `listdhm`. */
export class CodeListInput extends ListInput {
  /** Id of the batch. */
  @RowId() id!: number;
  @IsOptional() @OneOf(['unused', 'used', 'revoked']) qk?: 'unused' | 'used' | 'revoked';
}

/** Fields of `yedh`. */
export class RedeemInput {
  @IsString({ message: 'ledger.code_unknown' }) @Trimmed() @MaxLength(64, { message: 'ledger.code_unknown' }) dhm!: string;
}

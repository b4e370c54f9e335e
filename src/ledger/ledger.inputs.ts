import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateBy } from 'class-validator';

import { MAX_AMOUNT, toFen } from '../common/index.js';
import { MAX_ID } from '../database/index.js';
import { ListInput, RowId, Trimmed, WholeNumber } from '../operations/index.js';

/**
 * Converts yuan, optionally signed, to fen.
 *
 * @returns null for an invalid amount, and for zero
 */
export function signedFen(value: unknown): number | null {
  const match = typeof value === 'string' ? /^([+-]?)(\d[\d.]*)$/.exec(value) : null;
  const fen = match && toFen(match[2]!);
  if (!match || !fen || fen > MAX_AMOUNT) return null;
  return match[1] === '-' ? -fen : fen;
}

const IsSignedAmount = (): PropertyDecorator =>
  ValidateBy(
    { name: 'isSignedAmount', validator: { validate: (value: unknown) => signedFen(value) !== null } },
    { message: 'ledger.field_amount' },
  );

/** Fields of `listye`. */
export class CreditListInput extends ListInput {
  @IsOptional() @IsIn(['', 'account', 'customer']) lx: '' | 'account' | 'customer' = '';
}

/** Fields of the administrators' `listyelog`. */
export class EntryListInput extends ListInput {
  /** Id of the credit; missing: all. */
  @IsOptional() @RowId() id?: number;
}

/** Fields of `yetz`: the credit is given by one of `id`, `user` and `yh`. */
export class AdjustInput {
  /** Id of an existing credit. */
  @IsOptional() @RowId() id?: number;
  /** Login name of a hosting account. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(64) user = '';
  /** User name of a customer account. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(64) yh = '';
  /** Yuan; negative to deduct. */
  @Trimmed() @IsSignedAmount() rmb!: string;
  @IsString({ message: 'ledger.field_reason' })
  @Trimmed()
  @IsNotEmpty({ message: 'ledger.field_reason' })
  @MaxLength(200, { message: 'ledger.field_reason' })
  yy!: string;
  /** Idempotency key chosen by the client: repeating it moves nothing more. */
  @IsOptional() @Trimmed() @Matches(/^(|[\x21-\x7e]{1,64})$/, { message: 'ledger.field_request' }) qqh = '';
}

/** Fields of `balance_admin_adjust`, as sent by existing front ends of the plugin `balance`. */
export class LegacyAdjustInput {
  /** Id of a customer account. */
  @WholeNumber() @IsInt({ message: 'ledger.no_holder' }) @Min(1, { message: 'ledger.no_holder' }) @Max(MAX_ID) user_id!: number;
  /** Yuan, without a sign. */
  @Trimmed() @IsSignedAmount() @Matches(/^\d/, { message: 'ledger.field_amount' }) amount!: string;
  @IsIn(['add', 'deduct'], { message: 'ledger.field_direction' }) direction!: 'add' | 'deduct';
  @IsOptional() @IsString() @Trimmed() @MaxLength(200, { message: 'ledger.field_reason' }) remark = '';
}

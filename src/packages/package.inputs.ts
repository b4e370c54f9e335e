import { IsOptional, IsString, Matches, MaxLength, ValidateBy, ValidateIf } from 'class-validator';

import { isPackage } from '../hosting/index.js';
import { RowId, Trimmed } from '../operations/index.js';
import { IsOrderAmount } from '../payment/index.js';

/** A package key `slug:name`, as given by plugins. */
export const IsPackage = (): PropertyDecorator =>
  ValidateBy({ name: 'isPackage', validator: { validate: isPackage } }, { message: 'packages.field_package' });

/** Input of the administrators' `bgjg` and `bgqx`. */
export class HostPackageInput {
  /** Id of the host. */
  @RowId() id!: number;
}

/** Input of the owners' `bgjg`. */
export class OwnPackagesInput {
  /** Coupon, to preview its discount. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(64) yhq = '';
}

/** Input of `zjbgdd`. */
export class ChangeOrderInput extends HostPackageInput {
  /** Key of the package. */
  @IsPackage() spid!: string;
  /** Amount in yuan; by default the price is computed. */
  @IsOptional() @ValidateIf(({ rmb }: ChangeOrderInput) => rmb !== '') @IsOrderAmount() @Trimmed() rmb?: string;
  /** Idempotency key chosen by the caller: repeating it creates no second order. */
  @IsOptional() @Trimmed() @Matches(/^(|[\x21-\x7e]{1,64})$/, { message: 'packages.field_request' }) qqh = '';
}

/** Input of `zjfptc`. */
export class AssignPackageInput extends HostPackageInput {
  /** Key of the package; empty: none. */
  @ValidateIf(({ spid }: AssignPackageInput) => spid !== '') @IsPackage() spid!: string;
  /** Amount in yuan that counts as paid for the remaining days; default: their cost at the package's price. */
  @IsOptional() @Trimmed() @Matches(/^(|\d{1,6}(\.\d{1,2})?)$/, { message: 'packages.field_paid' }) rmb = '';
}

import { IsOptional, IsString, Matches, MaxLength, ValidateBy, ValidateIf } from 'class-validator';

import { isPackage } from '../hosting/index.js';
import { RowId, Trimmed } from '../operations/index.js';
import { IsOrderAmount } from '../payment/index.js';

/** `slug:name`, as plugins write it. */
export const IsPackage = (): PropertyDecorator =>
  ValidateBy({ name: 'isPackage', validator: { validate: isPackage } }, { message: 'packages.field_package' });

/** Fields of the administrators' `bgjg` and `bgqx`. */
export class HostPackageInput {
  /** Of the host. */
  @RowId() id!: number;
}

/** Fields of the owners' `bgjg`. */
export class OwnPackagesInput {
  /** A coupon, to see what it takes off. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(64) yhq = '';
}

/** Fields of `zjbgdd`. */
export class ChangeOrderInput extends HostPackageInput {
  /** Key of the package. */
  @IsPackage() spid!: string;
  /** Yuan; left out, the price is computed. */
  @IsOptional() @ValidateIf(({ rmb }: ChangeOrderInput) => rmb !== '') @IsOrderAmount() @Trimmed() rmb?: string;
  /** Id of the request, chosen by who makes it: the same again makes no second order. */
  @IsOptional() @Trimmed() @Matches(/^(|[\x21-\x7e]{1,64})$/, { message: 'packages.field_request' }) qqh = '';
}

/** Fields of `zjfptc`. */
export class AssignPackageInput extends HostPackageInput {
  /** Key of the package; empty: none. */
  @ValidateIf(({ spid }: AssignPackageInput) => spid !== '') @IsPackage() spid!: string;
  /** Yuan that count as paid for the days it has left; left out, what they cost at the package's price. */
  @IsOptional() @Trimmed() @Matches(/^(|\d{1,6}(\.\d{1,2})?)$/, { message: 'packages.field_paid' }) rmb = '';
}

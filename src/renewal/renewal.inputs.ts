import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateIf } from 'class-validator';

import { TOP_UP_SCENE } from '../ledger/index.js';
import { RowId, Trimmed, WholeNumber } from '../operations/index.js';
import { CHANGE_SCENE, IsPackage } from '../packages/index.js';
import { IsOrderAmount } from '../payment/index.js';
import { PROGRAM_SCENE } from '../programs/index.js';

import { MAX_MONTHS } from './renewal-offers.js';
import { RENEWAL_SCENE } from './renewal-orders.js';

/** No price, or a price of zero because a coupon covers it. */
const NOTHING = /^(0(\.0{1,2})?)?$/;

/** Scenes whose price the panel computes. */
const PRICED = [CHANGE_SCENE, PROGRAM_SCENE];

/** Duration and idempotency key. */
class RenewalInput {
  /** Months. */
  @WholeNumber()
  @IsInt({ message: 'renewal.field_months' })
  @Min(1, { message: 'renewal.field_months' })
  @Max(MAX_MONTHS, { message: 'renewal.field_months' })
  zq!: number;
  /** Idempotency key chosen by the client: repeating it creates no second order. */
  @IsOptional() @Trimmed() @Matches(/^(|[\x21-\x7e]{1,64})$/, { message: 'renewal.field_request' }) qqh = '';
}

/** Fields of the owners' `xfjg`. */
export class OwnOffersInput {
  /** Coupon code, to preview its discount. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(64) yhq = '';
}

/** Fields of `xdd`. A renewal needs `zq`, a top-up `rmb`, a change of package and a program `spid`. */
export class PlaceOrderInput {
  @IsIn([RENEWAL_SCENE, CHANGE_SCENE, PROGRAM_SCENE, TOP_UP_SCENE], { message: 'renewal.field_scene' }) scene!: string;
  /** Months. */
  @ValidateIf(({ scene }: PlaceOrderInput) => scene === RENEWAL_SCENE)
  @WholeNumber()
  @IsInt({ message: 'renewal.field_months' })
  @Min(1, { message: 'renewal.field_months' })
  @Max(MAX_MONTHS, { message: 'renewal.field_months' })
  zq!: number;
  /** Key of a package, or id of a program. */
  @ValidateIf(({ scene }: PlaceOrderInput) => scene === CHANGE_SCENE) @IsPackage() spid!: string;
  /** Yuan. For a top-up the amount; for a change or a program the displayed price, which is rejected if it has changed. */
  @ValidateIf(({ scene, rmb }: PlaceOrderInput) => scene === TOP_UP_SCENE || (PRICED.includes(scene) && !NOTHING.test(rmb)))
  @IsOrderAmount()
  @Trimmed()
  rmb = '';
  /** Idempotency key chosen by the client: repeating it creates no second order. */
  @IsOptional() @Trimmed() @Matches(/^(|[\x21-\x7e]{1,64})$/, { message: 'renewal.field_request' }) qqh = '';
  /** Coupon code. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(64) yhq = '';
  /** Payment type string; if missing, the buyer chooses on the payment page. */
  @IsOptional() @IsString() @Trimmed() @MaxLength(128) ff = '';
}

/** Fields of `zjxfdd`. */
export class HostRenewalInput extends RenewalInput {
  /** Id of the host. */
  @RowId() id!: number;
  /** Price in yuan; defaults to the offer's. */
  @IsOptional() @IsOrderAmount() @Trimmed() rmb?: string;
}

/** Fields of the administrators' `xfjg`. */
export class OffersInput {
  /** Id of the host. */
  @RowId() id!: number;
}

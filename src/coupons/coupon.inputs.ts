import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateBy } from 'class-validator';

import { isDay, MAX_AMOUNT, toFen } from '../common/index.js';
import { EmptyIsUnset, VersionField } from '../http/index.js';
import { ListInput, OneOf, RowId, Switch, Trimmed, WholeNumber } from '../operations/index.js';

import type { CouponText } from './coupon-repository.js';
import { codeOf, COUPON_CODE, PRODUCT } from './coupon-terms.js';
import { CouponError } from './errors.js';

const MAX_PRODUCTS = 200;

/** A day `YYYY-MM-DD`; empty is unset. */
const Day = (): PropertyDecorator => (target, property) => {
  EmptyIsUnset()(target, property);
  ValidateBy(
    { name: 'isDay', validator: { validate: (value) => typeof value === 'string' && isDay(value) } },
    { message: 'coupons.field_day' },
  )(target, property);
};

/** An amount in yuan, or empty. */
const Yuan = (): PropertyDecorator => (target, property) => {
  Trimmed()(target, property);
  ValidateBy(
    { name: 'isYuan', validator: { validate: (value: unknown) => value === '' || fenOf(value) !== null } },
    { message: 'coupons.field_yuan' },
  )(target, property);
};

/** A number of uses, from 1; empty for unlimited. */
const Times = (): PropertyDecorator => (target, property) => {
  for (const decorate of [
    WholeNumber(),
    IsOptional(),
    IsInt({ message: 'coupons.field_times' }),
    Min(1, { message: 'coupons.field_times' }),
    Max(10_000_000, { message: 'coupons.field_times' }),
  ])
    decorate(target, property);
};

/** Fields of `listyhq`. */
export class CouponListInput extends ListInput {}

/** Identifies a coupon. */
export class CouponIdInput {
  @RowId() id!: number;
}

/** Fields of `yhqkg`. */
export class CouponSwitchInput extends CouponIdInput {
  @Switch() @IsBoolean() kg!: boolean;
}

/** Fields of `addyhq`. */
export class CouponInput {
  /** The code that buyers enter. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? codeOf(value) : value))
  @Matches(COUPON_CODE, { message: 'coupons.field_code' })
  yhm!: string;
  @IsOptional() @Trimmed() @IsString() @MaxLength(100) name = '';
  @OneOf(['fixed', 'percent']) lx!: 'fixed' | 'percent';
  /** Fixed discount in yuan. */
  @IsOptional() @Yuan() rmb = '';
  /** Discount in percent. */
  @IsOptional()
  @WholeNumber()
  @IsInt({ message: 'coupons.field_percent' })
  @Min(1, { message: 'coupons.field_percent' })
  @Max(100, { message: 'coupons.field_percent' })
  bl?: number;
  /** Product ids: a JSON array, or separated by commas; empty: all products. */
  @IsOptional() @IsString() @MaxLength(16_000) sp = '';
  /** Maximum uses per customer. */
  @Times() mrcs?: number;
  /** Maximum total uses. */
  @Times() zcs?: number;
  /** Minimum order amount in yuan. */
  @IsOptional() @Yuan() zdje = '';
  @IsOptional() @Day() datea?: string;
  @IsOptional() @Day() dateb?: string;
}

/** Fields of `xgyhq`. */
export class CouponChangeInput extends CouponInput {
  @RowId() id!: number;
  @VersionField() row_version?: string;
}

/** Converts the input to its stored form. @throws CouponError VALUE_WRONG, PRODUCTS_WRONG, DAYS_WRONG naming the field */
export function couponOf(input: CouponInput): CouponText {
  const { yhm: code, name, lx: kind, rmb, bl, mrcs, zcs, zdje, datea: fromOn = null, dateb: untilOn = null } = input;
  const value = kind === 'fixed' ? (fenOf(rmb) ?? 0) : (bl ?? 0);
  if (value < 1) {
    const [field, text] = kind === 'fixed' ? (['rmb', 'coupons.field_yuan'] as const) : (['bl', 'coupons.field_percent'] as const);
    throw new CouponError('VALUE_WRONG', {}, { [field]: text });
  }
  if (fromOn !== null && untilOn !== null && untilOn < fromOn) throw new CouponError('DAYS_WRONG', {}, { dateb: 'coupons.days_wrong' });
  const products = productsOf(input.sp);
  return { code, name, kind, value, products, perCustomer: mrcs ?? null, most: zcs ?? null, least: fenOf(zdje) ?? 0, fromOn, untilOn };
}

function productsOf(text: string): string[] {
  const products = [...new Set(listOf(text))].sort();
  if (products.length > MAX_PRODUCTS || products.some((product) => !PRODUCT.test(product)))
    throw new CouponError('PRODUCTS_WRONG', {}, { sp: 'coupons.products_wrong' });
  return products;
}

function listOf(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {
    // Not JSON: a separated list.
  }
  return text.split(/[\s,，]+/).filter((product) => product !== '');
}

/** Parses an amount in fen; null if invalid. */
function fenOf(value: unknown): number | null {
  const fen = typeof value === 'string' && value !== '' ? toFen(value) : null;
  return fen !== null && fen >= 0 && fen <= MAX_AMOUNT ? fen : null;
}

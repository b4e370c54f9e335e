import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A coupon: a code that reduces the price of an order. */
@Entity('SVC_coupon')
@Unique('UQ_SVC_coupon_code', ['code'])
export class Coupon {
  @PrimaryGeneratedColumn() id!: number;
  /** Upper case. */
  @StringColumn(32) code!: string;
  /** Internal name set by the reseller. */
  @StringColumn(100, { default: '' }) name!: string;
  @StringColumn(10) kind!: 'fixed' | 'percent';
  /** Discount in fen, or percent of the price. */
  @BigIntegerColumn() value!: number;
  /** Ids of eligible products, such as `hosting_shop:3`; empty: all. */
  @JsonColumn() products!: string[];
  /** Maximum uses per customer; null: unlimited. */
  @IntegerColumn({ name: 'per_customer', nullable: true }) perCustomer!: number | null;
  /** Maximum total uses; null: unlimited. */
  @IntegerColumn({ nullable: true }) most!: number | null;
  /** Minimum order amount in fen. */
  @BigIntegerColumn({ default: 0 }) least!: number;
  /** First and last valid day, in the installation's time zone; null: unlimited. */
  @DayColumn({ name: 'from_on', nullable: true }) fromOn!: string | null;
  @DayColumn({ name: 'until_on', nullable: true }) untilOn!: string | null;
  @FlagColumn({ default: true }) active!: boolean;
  /** Number of open and paid orders that use it. */
  @IntegerColumn({ default: 0 }) used!: number;
  /** Incremented with every change; invalidates prices computed before. */
  @IntegerColumn({ default: 0 }) version!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

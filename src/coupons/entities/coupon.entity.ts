import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A coupon: a word that takes something off the price of an order. */
@Entity('SVC_coupon')
@Unique('UQ_SVC_coupon_code', ['code'])
export class Coupon {
  @PrimaryGeneratedColumn() id!: number;
  /** Upper case. */
  @StringColumn(32) code!: string;
  /** What the reseller calls it. */
  @StringColumn(100, { default: '' }) name!: string;
  @StringColumn(10) kind!: 'fixed' | 'percent';
  /** Fen, or percent of the price. */
  @BigIntegerColumn() value!: number;
  /** What it is for, as `hosting_shop:3`; empty: everything. */
  @JsonColumn() products!: string[];
  /** How often one customer may use it; null: as often as he likes. */
  @IntegerColumn({ name: 'per_customer', nullable: true }) perCustomer!: number | null;
  /** How often it may be used in all; null: without an end. */
  @IntegerColumn({ nullable: true }) most!: number | null;
  /** Fen an order has to cost at least. */
  @BigIntegerColumn({ default: 0 }) least!: number;
  /** First and last day it counts on, in the time zone of the installation; null: none. */
  @DayColumn({ name: 'from_on', nullable: true }) fromOn!: string | null;
  @DayColumn({ name: 'until_on', nullable: true }) untilOn!: string | null;
  @FlagColumn({ default: true }) active!: boolean;
  /** Orders that are open or paid with it. */
  @IntegerColumn({ default: 0 }) used!: number;
  /** Goes up with every change: a price that was computed before it is not taken. */
  @IntegerColumn({ default: 0 }) version!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

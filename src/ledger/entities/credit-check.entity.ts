import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A run of the comparison between ledger and orders. */
@Entity('SVC_credit_check')
export class CreditCheck {
  @PrimaryGeneratedColumn() id!: number;
  /** Number of credits. */
  @IntegerColumn() credits!: number;
  @IntegerColumn() transfers!: number;
  @IntegerColumn() differences!: number;
  @TimeColumn({ name: 'checked_at' }) checkedAt!: Date;
}

/** Kind of difference; the last part of its text key, `ledger.difference.<kind>`. */
export type DifferenceKind =
  | 'balance'
  | 'transfer'
  | 'top_up_missing'
  | 'top_up_without'
  | 'payment_missing'
  | 'payment_without'
  | 'refund_missing'
  | 'refund_without'
  | 'taken_back'
  | 'second';

/** A difference found by the last check. */
@Entity('SVC_credit_difference')
@Unique('UQ_SVC_credit_difference', ['kind', 'subject'])
export class CreditDifference {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(32) kind!: DifferenceKind;
  /** Subject, such as the number of an order. */
  @StringColumn(64) subject!: string;
  @IntegerColumn({ name: 'order_id', nullable: true }) orderId!: number | null;
  @IntegerColumn({ name: 'credit_id', nullable: true }) creditId!: number | null;
  /** Fen. */
  @BigIntegerColumn() expected!: number;
  /** Fen. */
  @BigIntegerColumn() found!: number;
  /** When it was first found. */
  @TimeColumn({ name: 'found_at' }) foundAt!: Date;
}

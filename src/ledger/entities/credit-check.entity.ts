import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** One time the ledger was compared with the orders. */
@Entity('SVC_credit_check')
export class CreditCheck {
  @PrimaryGeneratedColumn() id!: number;
  /** How many credits there were. */
  @IntegerColumn() credits!: number;
  @IntegerColumn() transfers!: number;
  @IntegerColumn() differences!: number;
  @TimeColumn({ name: 'checked_at' }) checkedAt!: Date;
}

/** What can be wrong; the last part of its words' key, `ledger.difference.<kind>`. */
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

/** Something the last check found to be other than it should be. */
@Entity('SVC_credit_difference')
@Unique('UQ_SVC_credit_difference', ['kind', 'subject'])
export class CreditDifference {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(32) kind!: DifferenceKind;
  /** What it is about, such as the number of an order. */
  @StringColumn(64) subject!: string;
  @IntegerColumn({ name: 'order_id', nullable: true }) orderId!: number | null;
  @IntegerColumn({ name: 'credit_id', nullable: true }) creditId!: number | null;
  /** Fen. */
  @BigIntegerColumn() expected!: number;
  /** Fen. */
  @BigIntegerColumn() found!: number;
  /** When it was found first. */
  @TimeColumn({ name: 'found_at' }) foundAt!: Date;
}

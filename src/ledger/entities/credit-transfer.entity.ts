import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Purpose of a transfer; the last part of its text key, `ledger.kind.<kind>`. */
export type TransferKind = 'top_up' | 'second' | 'payment' | 'refund' | 'taken_back' | 'given_again' | 'adjustment' | 'code' | 'joined';

/** A transfer: its entries add up to zero. Immutable. */
@Entity('SVC_credit_transfer')
@Unique('UQ_SVC_credit_transfer_cause', ['cause'])
@Index('IX_SVC_credit_transfer_order', ['orderId', 'id'])
@Index('IX_SVC_credit_transfer_refund', ['refundId', 'id'])
@Index('IX_SVC_credit_transfer_kind', ['kind', 'id'])
export class CreditTransfer {
  @PrimaryGeneratedColumn() id!: number;
  /** Idempotency key, such as `top_up:17`: the same cause moves credit only once. */
  @StringColumn(120) cause!: string;
  @StringColumn(16) kind!: TransferKind;
  @IntegerColumn({ name: 'order_id', nullable: true }) orderId!: number | null;
  @IntegerColumn({ name: 'refund_id', nullable: true }) refundId!: number | null;
  @StringColumn(200, { default: '' }) reason!: string;
  /** Name of the administrator, if one did it. */
  @StringColumn(64, { default: '' }) actor!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

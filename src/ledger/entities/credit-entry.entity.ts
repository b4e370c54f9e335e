import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn } from '../../database/index.js';

import { CreditTransfer } from './credit-transfer.entity.js';
import { Credit } from './credit.entity.js';

/**
 * Where money of a movement comes from or goes to: `credit` of somebody, a `gateway` it came through, `revenue` it was spent as, a
 * `refund`, or the reseller's own hand: an `adjustment`, and codes he gave out.
 */
export type LedgerAccount = 'credit' | 'gateway' | 'revenue' | 'refund' | 'adjustment' | 'code';

/** One side of a movement. Written once, never changed and never deleted. */
@Entity('SVC_credit_entry')
@Index('IX_SVC_credit_entry_credit', ['creditId', 'id'])
@Index('IX_SVC_credit_entry_transfer', ['transferId', 'id'])
export class CreditEntry {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'transfer_id' }) transferId!: number;
  @ManyToOne(() => CreditTransfer, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'transfer_id', foreignKeyConstraintName: 'FK_SVC_credit_entry_transfer' })
  transfer?: CreditTransfer;
  @StringColumn(16) account!: LedgerAccount;
  /** Whose credit; null for the other accounts. */
  @IntegerColumn({ name: 'credit_id', nullable: true }) creditId!: number | null;
  @ManyToOne(() => Credit, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'credit_id', foreignKeyConstraintName: 'FK_SVC_credit_entry_credit' })
  credit?: Credit | null;
  /** Fen; what the account gets, or gives where it is negative. */
  @BigIntegerColumn() amount!: number;
  /** Fen of the credit then; null for the other accounts. */
  @BigIntegerColumn({ name: 'balance_after', nullable: true }) balanceAfter!: number | null;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn } from '../../database/index.js';

import { CreditTransfer } from './credit-transfer.entity.js';
import { Credit } from './credit.entity.js';

/**
 * Accounts of the ledger: a holder's `credit`, the `gateway` of incoming money, `revenue` of spent credit, a
 * `refund`, the reseller's `adjustment`, and redeemed codes.
 */
export type LedgerAccount = 'credit' | 'gateway' | 'revenue' | 'refund' | 'adjustment' | 'code';

/** One side of a transfer. Immutable. */
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
  /** The credit; null for the other accounts. */
  @IntegerColumn({ name: 'credit_id', nullable: true }) creditId!: number | null;
  @ManyToOne(() => Credit, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'credit_id', foreignKeyConstraintName: 'FK_SVC_credit_entry_credit' })
  credit?: Credit | null;
  /** Fen; negative if the account is debited. */
  @BigIntegerColumn() amount!: number;
  /** Balance of the credit after the entry in fen; null for the other accounts. */
  @BigIntegerColumn({ name: 'balance_after', nullable: true }) balanceAfter!: number | null;
}

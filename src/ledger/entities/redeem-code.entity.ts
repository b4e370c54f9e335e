import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { CodeBatch } from './code-batch.entity.js';
import { Credit } from './credit.entity.js';

/** A redeem code. Only its hash is stored, so the database does not reveal the code. */
@Entity('SVC_code')
@Unique('UQ_SVC_code_hash', ['hash'])
@Index('IX_SVC_code_batch', ['batchId', 'id'])
@Index('IX_SVC_code_state', ['batchId', 'state'])
export class RedeemCode {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'batch_id' }) batchId!: number;
  @ManyToOne(() => CodeBatch, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'batch_id', foreignKeyConstraintName: 'FK_SVC_code_batch' })
  batch?: CodeBatch;
  /** SHA-256; fast hashing is sufficient for 78 random bits. */
  @StringColumn(64) hash!: string;
  /** Its last characters, for identification. */
  @StringColumn(8) ending!: string;
  @StringColumn(10) state!: 'unused' | 'used' | 'revoked';
  /** The credit it was redeemed to. */
  @IntegerColumn({ name: 'credit_id', nullable: true }) creditId!: number | null;
  @ManyToOne(() => Credit, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'credit_id', foreignKeyConstraintName: 'FK_SVC_code_credit' })
  credit?: Credit | null;
  @TimeColumn({ name: 'used_at', nullable: true }) usedAt!: Date | null;
}

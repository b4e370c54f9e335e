import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { CodeBatch } from './code-batch.entity.js';
import { Credit } from './credit.entity.js';

/** One code. Whoever has the database has no code: only what it hashes to is kept. */
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
  /** SHA-256: of 80 random bits, so nothing slower is needed. */
  @StringColumn(64) hash!: string;
  /** Its last characters, for people who look for one. */
  @StringColumn(8) ending!: string;
  @StringColumn(10) state!: 'unused' | 'used' | 'revoked';
  /** Whose credit it went to. */
  @IntegerColumn({ name: 'credit_id', nullable: true }) creditId!: number | null;
  @ManyToOne(() => Credit, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'credit_id', foreignKeyConstraintName: 'FK_SVC_code_credit' })
  credit?: Credit | null;
  @TimeColumn({ name: 'used_at', nullable: true }) usedAt!: Date | null;
}

import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn } from '../../database/index.js';

/** A one-time code that replaces the second factor. The row contains its SHA-256. */
@Entity('SVC_recovery_code')
@Unique('UQ_SVC_recovery_code', ['side', 'accountId', 'codeHash'])
export class RecoveryCode {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: 'admin' | 'user' | 'customer' | 'store';
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  @StringColumn(64, { name: 'code_hash' }) codeHash!: string;
}

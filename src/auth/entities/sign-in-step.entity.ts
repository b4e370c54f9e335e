import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Somebody has shown the right password and is to show his second factor. What he got is a random token, the row has its SHA-256. */
@Entity('SVC_sign_in_step')
@Unique('UQ_SVC_sign_in_step_token', ['tokenHash'])
@Index('IX_SVC_sign_in_step_expires', ['expiresAt'])
export class SignInStep {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  @StringColumn(10) side!: 'admin' | 'user' | 'customer' | 'store';
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** As it was typed: failures are counted by it. */
  @StringColumn(64) username!: string;
  /** What the password was checked against: a new one ends the step. */
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  /** Wrong codes so far. */
  @IntegerColumn({ default: 0 }) failures!: number;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}

import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A sign-in whose password was verified and whose second factor is pending. The client holds a random token, the row its SHA-256. */
@Entity('SVC_sign_in_step')
@Unique('UQ_SVC_sign_in_step_token', ['tokenHash'])
@Index('IX_SVC_sign_in_step_expires', ['expiresAt'])
export class SignInStep {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  @StringColumn(10) side!: 'admin' | 'user' | 'customer' | 'store';
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** As entered: failures are counted by it. */
  @StringColumn(64) username!: string;
  /** The hash that the password was verified against: a new password ends the step. */
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  /** Wrong codes so far. */
  @IntegerColumn({ default: 0 }) failures!: number;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}

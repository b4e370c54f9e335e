import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Second factor of an account: the seed of one-time codes. */
@Entity('SVC_second_factor')
@Unique('UQ_SVC_second_factor_account', ['side', 'accountId'])
export class SecondFactor {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: 'admin' | 'user' | 'customer' | 'store';
  /** `SVC_admin.id`, `SVC_zj.id` or `SVC_plugin_user.id`. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** The seed, encrypted with the installation's key. */
  @StringColumn(250) seed!: string;
  /** The last used 30-second step since 1970: codes of it and of earlier steps are rejected. */
  @IntegerColumn({ name: 'last_step', default: 0 }) lastStep!: number;
  /** Null until the first code was verified; until then no code is required. */
  @TimeColumn({ name: 'confirmed_at', nullable: true }) confirmedAt!: Date | null;
  /** Hash of the token of the session that may confirm the seed; null once it was confirmed. */
  @StringColumn(64, { name: 'session_hash', nullable: true }) sessionHash!: string | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

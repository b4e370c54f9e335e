import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** What an account signs in with besides its password: a seed of one-time codes. */
@Entity('SVC_second_factor')
@Unique('UQ_SVC_second_factor_account', ['side', 'accountId'])
export class SecondFactor {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: 'admin' | 'user' | 'customer' | 'store';
  /** `SVC_admin.id`, `SVC_zj.id` or `SVC_plugin_user.id`. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** The seed, sealed with the key of the installation. */
  @StringColumn(250) seed!: string;
  /** The last 30 seconds, counted from 1970, a code of which was used: it and those before work no more. */
  @IntegerColumn({ name: 'last_step', default: 0 }) lastStep!: number;
  /** Null until its first code was shown: until then nobody is asked for one. */
  @TimeColumn({ name: 'confirmed_at', nullable: true }) confirmedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

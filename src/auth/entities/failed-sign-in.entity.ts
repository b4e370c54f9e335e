import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Wrong passwords for an account from one network. Kept 90 days for its owner, at most 200 networks per account. */
@Entity('SVC_failed_sign_in')
@Unique('UQ_SVC_failed_sign_in', ['side', 'accountId', 'network'])
@Index('IX_SVC_failed_sign_in_last', ['lastAt'])
export class FailedSignIn {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: 'admin' | 'user' | 'customer' | 'store';
  /** `SVC_admin.id`, `SVC_zj.id`, `SVC_plugin_user.id` or `SVC_store_user.id`. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** An IPv4 address, or an IPv6 network; empty for networks beyond the 200. */
  @StringColumn(64) network!: string;
  /** Number of failures since {@link firstAt}. */
  @IntegerColumn() failures!: number;
  /** Whether the owner has seen them; the next failure restarts the count. */
  @FlagColumn({ default: false }) seen!: boolean;
  @TimeColumn({ name: 'first_at' }) firstAt!: Date;
  @TimeColumn({ name: 'last_at' }) lastAt!: Date;
}

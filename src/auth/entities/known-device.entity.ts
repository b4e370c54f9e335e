import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A browser that has signed in to an account before. The cookie contains a random token, the row its SHA-256. */
@Entity('SVC_known_device')
@Unique('UQ_SVC_known_device_token', ['tokenHash', 'side', 'accountId'])
@Index('IX_SVC_known_device_account', ['side', 'accountId', 'id'])
@Index('IX_SVC_known_device_expires', ['expiresAt'])
export class KnownDevice {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  @StringColumn(10) side!: 'admin' | 'user' | 'customer' | 'store';
  /** `SVC_admin.id`, `SVC_zj.id`, `SVC_plugin_user.id` or `SVC_store_user.id`. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}

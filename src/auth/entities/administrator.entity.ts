import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** An administrator of the panel. */
@Entity('SVC_admin')
@Unique('UQ_SVC_admin_username_key', ['usernameKey'])
export class Administrator {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) username!: string;
  @StringColumn(64, { name: 'username_key' }) usernameKey!: string;
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  /** Whether the published default password is still in use: a banner warns about it, and production rejects it. */
  @FlagColumn({ name: 'default_password', default: false }) hasDefaultPassword!: boolean;
  /** Whether sign-in is allowed. */
  @FlagColumn({ default: true }) enabled!: boolean;
  /** `SVC_admin_role.id`; null: full access. */
  @IntegerColumn({ name: 'role_id', nullable: true }) roleId!: number | null;
  /** The version up to which the changelog was seen; empty for accounts older than the changelog. */
  @StringColumn(32, { name: 'seen_version', default: '' }) seenVersion!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

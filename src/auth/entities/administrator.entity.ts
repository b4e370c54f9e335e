import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Somebody who runs the panel. */
@Entity('SVC_admin')
@Unique('UQ_SVC_admin_username_key', ['usernameKey'])
export class Administrator {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) username!: string;
  @StringColumn(64, { name: 'username_key' }) usernameKey!: string;
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  /** The published default is still in use: a banner says so, and production refuses it. */
  @FlagColumn({ name: 'default_password', default: false }) hasDefaultPassword!: boolean;
  /** Whether he may sign in. */
  @FlagColumn({ default: true }) enabled!: boolean;
  /** `SVC_admin_role.id`; null: he may do everything. */
  @IntegerColumn({ name: 'role_id', nullable: true }) roleId!: number | null;
  /** The version whose news he has seen; empty for one who is older than the list of them. */
  @StringColumn(32, { name: 'seen_version', default: '' }) seenVersion!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

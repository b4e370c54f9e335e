import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, StringColumn, TimeColumn } from '../../database/index.js';

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
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

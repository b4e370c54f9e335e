import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** An account that belongs to plugins: a shop's customer, who may own several hosting accounts. */
@Entity('SVC_plugin_user')
@Unique('UQ_SVC_plugin_user_username_key', ['usernameKey'])
@Index('IX_SVC_plugin_user_email', ['email'])
export class PluginUser {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) username!: string;
  @StringColumn(64, { name: 'username_key' }) usernameKey!: string;
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  @StringColumn(254, { default: '' }) email!: string;
  @StringColumn(20, { default: '' }) qq!: string;
  /** 1 normal, 0 banned. */
  @IntegerColumn({ default: 1 }) status!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Role of an account of the store. */
export type StoreRole = 'admin' | 'developer';

/** An account of the store. */
@Entity('SVC_store_user')
@Unique('UQ_SVC_store_user_username_key', ['usernameKey'])
@Unique('UQ_SVC_store_user_email_key', ['emailKey'])
@Index('UQ_SVC_store_user_skeleton', ['usernameSkeleton'], { unique: true })
@Index('IX_SVC_store_user_role', ['role', 'status', 'id'])
@Index('IX_SVC_store_user_created', ['createdAt'])
export class StoreUser {
  @PrimaryGeneratedColumn() id!: number;
  /** As entered, 2 to 30 characters. */
  @StringColumn(30) username!: string;
  /** Lower case and Unicode-normalized: names are unique ignoring case on both engines. */
  @StringColumn(60, { name: 'username_key' }) usernameKey!: string;
  /** Skeleton shared by look-alike names; unique. Null if an older account already had it. */
  @StringColumn(190, { name: 'username_skeleton', nullable: true }) usernameSkeleton!: string | null;
  /** bcrypt hash; never leaves the server. */
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  /** Whether the password is still the published default, which cannot be used in production. */
  @FlagColumn({ name: 'has_default_password', default: false }) hasDefaultPassword!: boolean;
  @StringColumn(254) email!: string;
  @StringColumn(254, { name: 'email_key' }) emailKey!: string;
  @StringColumn(10) role!: StoreRole;
  /** Path under `/uploads/images/`, or empty. */
  @StringColumn(255, { default: '' }) avatar!: string;
  @StringColumn(500, { default: '' }) bio!: string;
  @StringColumn(10, { default: 'active' }) status!: 'active' | 'banned';
  /** Since when an administrator trusts the author; versions are then published immediately. */
  @TimeColumn({ name: 'trusted_at', nullable: true }) trustedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

/** Normalized account name for comparison, ignoring case and accents. */
export function nameKey(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC').slice(0, 60);
}

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
  /** As it was given, 2 to 30 characters. */
  @StringColumn(30) username!: string;
  /** In lower case and one Unicode form: names are unique ignoring case on both engines. */
  @StringColumn(60, { name: 'username_key' }) usernameKey!: string;
  /** What names that look alike have in common: only one of them gets it. Null where an older account of before had it. */
  @StringColumn(190, { name: 'username_skeleton', nullable: true }) usernameSkeleton!: string | null;
  /** bcrypt; never leaves the server. */
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  /** Whether the password is still the published default: nobody signs in with that in production. */
  @FlagColumn({ name: 'has_default_password', default: false }) hasDefaultPassword!: boolean;
  @StringColumn(254) email!: string;
  @StringColumn(254, { name: 'email_key' }) emailKey!: string;
  @StringColumn(10) role!: StoreRole;
  /** Path under `/uploads/images/`, or empty. */
  @StringColumn(255, { default: '' }) avatar!: string;
  @StringColumn(500, { default: '' }) bio!: string;
  @StringColumn(10, { default: 'active' }) status!: 'active' | 'banned';
  /** Since when an administrator trusts the author: versions are published at once. */
  @TimeColumn({ name: 'trusted_at', nullable: true }) trustedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

/** Key that account names are compared by: case and accents make no difference. */
export function nameKey(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC').slice(0, 60);
}

import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Somebody who buys: signs in at the account pages, and may own several hosting accounts. */
@Entity('SVC_plugin_user')
@Unique('UQ_SVC_plugin_user_username_key', ['usernameKey'])
@Index('UQ_SVC_plugin_user_mail_key', ['mailKey'], { unique: true })
@Index('IX_SVC_plugin_user_email', ['email'])
export class Customer {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) username!: string;
  /** The name in small letters. */
  @StringColumn(64, { name: 'username_key' }) usernameKey!: string;
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  @StringColumn(254, { default: '' }) email!: string;
  /** {@link email} in small letters once its owner has shown that it is his: he signs in by it, and nobody else has it. Null until then. */
  @StringColumn(254, { name: 'mail_key', nullable: true }) mailKey!: string | null;
  @StringColumn(20, { default: '' }) qq!: string;
  /** 1 normal, 0 locked out. */
  @IntegerColumn({ default: 1 }) status!: number;
  /** How many one-time links to sign in were used: each names the number it may be used at. */
  @IntegerColumn({ name: 'link_number', default: 0 }) linkNumber!: number;
  /** Null before the first sign-in. */
  @TimeColumn({ name: 'signed_in_at', nullable: true }) signedInAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A customer: signs in at the account pages, and may own several hosting accounts. */
@Entity('SVC_plugin_user')
@Unique('UQ_SVC_plugin_user_username_key', ['usernameKey'])
@Index('UQ_SVC_plugin_user_mail_key', ['mailKey'], { unique: true })
@Index('IX_SVC_plugin_user_email', ['email'])
export class Customer {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) username!: string;
  /** The name in lower case. */
  @StringColumn(64, { name: 'username_key' }) usernameKey!: string;
  @StringColumn(100, { name: 'password_hash' }) passwordHash!: string;
  @StringColumn(254, { default: '' }) email!: string;
  /** {@link email} in lower case once it is confirmed: then it is unique and can be used for sign-in. Null until then. */
  @StringColumn(254, { name: 'mail_key', nullable: true }) mailKey!: string | null;
  @StringColumn(20, { default: '' }) qq!: string;
  /** 1 active, 0 locked. */
  @IntegerColumn({ default: 1 }) status!: number;
  /** Number of one-time sign-in links used: each link is only valid at its own number. */
  @IntegerColumn({ name: 'link_number', default: 0 }) linkNumber!: number;
  /** Null before the first sign-in. */
  @TimeColumn({ name: 'signed_in_at', nullable: true }) signedInAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

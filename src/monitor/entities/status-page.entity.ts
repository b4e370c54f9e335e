import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** What everybody may know of the monitors of an account, or of the installation. */
@Entity('SVC_status_page')
@Unique('UQ_SVC_status_page_account', ['accountId'])
@Unique('UQ_SVC_status_page_slug', ['slug'])
export class StatusPage {
  @PrimaryGeneratedColumn() id!: number;
  /** Whose it is; 0: of the installation. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** Last part of its address, `/status/<slug>`: lower case. */
  @StringColumn(64) slug!: string;
  @StringColumn(120, { default: '' }) title!: string;
  /** Whether anybody may see it. */
  @FlagColumn({ name: 'is_public', default: false }) isPublic!: boolean;
  /** Why an administrator has switched it off, for its owner; null: nobody has. */
  @StringColumn(250, { name: 'off_reason', nullable: true }) offReason!: string | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** Public status page of an account or of the installation. */
@Entity('SVC_status_page')
@Unique('UQ_SVC_status_page_account', ['accountId'])
@Unique('UQ_SVC_status_page_slug', ['slug'])
export class StatusPage {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of the owning account; 0 for the installation. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** Last part of its address, `/status/<slug>`: lower case. */
  @StringColumn(64) slug!: string;
  @StringColumn(120, { default: '' }) title!: string;
  /** Whether it is public. */
  @FlagColumn({ name: 'is_public', default: false }) isPublic!: boolean;
  /** Reason given by the administrator who disabled it, shown to its owner; null if not disabled. */
  @StringColumn(250, { name: 'off_reason', nullable: true }) offReason!: string | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

import { StringColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/**
 * How far the log of a site is counted. Whoever moves it on has that part to count, in the same transaction: nothing counts
 * twice, and nothing is left out.
 */
@Entity('SVC_site_log')
export class SiteLogCursor {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @OneToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_log_zj' })
  account?: HostingAccount;
  /** What its server takes to read on; empty before the first part. */
  @StringColumn(64, { name: 'position', default: '' }) position!: string;
}

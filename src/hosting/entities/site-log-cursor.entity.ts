import { Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

import { StringColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/**
 * How far the log of a site is counted. Advanced in the same transaction that stores the counts, so that nothing is counted twice or left
 * out.
 */
@Entity('SVC_site_log')
export class SiteLogCursor {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @OneToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_log_zj' })
  account?: HostingAccount;
  /** Opaque position of its server to continue from; empty before the first part. */
  @StringColumn(64, { name: 'position', default: '' }) position!: string;
}

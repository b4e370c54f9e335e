import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { BigIntegerColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** Bytes a site sent in a month, in the time zone of the installation. */
@Entity('SVC_site_traffic')
@Index('IX_SVC_site_traffic_month', ['month'])
export class SiteTraffic {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_traffic_zj' })
  account?: HostingAccount;
  /** `YYYY-MM`. */
  @PrimaryColumn({ type: 'varchar', length: 7 }) month!: string;
  @BigIntegerColumn({ default: 0 }) bytes!: number;
}

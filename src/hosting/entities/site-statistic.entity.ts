import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { BigIntegerColumn, TextColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** Period of aggregated statistics: hour, day, month. */
export type StatisticUnit = 'h' | 'd' | 'm';

/** Visitor statistics of a site for an hour, a day or a month, in the time zone of its log. */
@Entity('SVC_site_stat')
@Index('IX_SVC_site_stat_at', ['unit', 'at'])
export class SiteStatistic {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_stat_zj' })
  account?: HostingAccount;
  @PrimaryColumn({ type: 'varchar', length: 1 }) unit!: StatisticUnit;
  /** `YYYY-MM-DDThh`, `YYYY-MM-DD` or `YYYY-MM`. */
  @PrimaryColumn({ name: 'moment', type: 'varchar', length: 13 }) at!: string;
  @BigIntegerColumn({ default: 0 }) requests!: number;
  /** Pages viewed by people. */
  @BigIntegerColumn({ default: 0 }) pages!: number;
  /** Distinct addresses, crawlers excluded; an estimate for large numbers. */
  @BigIntegerColumn({ default: 0 }) visitors!: number;
  @BigIntegerColumn({ default: 0 }) bytes!: number;
  /** Responses by the first digit of their status. */
  @BigIntegerColumn({ name: 's2', default: 0 }) succeeded!: number;
  @BigIntegerColumn({ name: 's3', default: 0 }) redirected!: number;
  @BigIntegerColumn({ name: 's4', default: 0 }) refused!: number;
  @BigIntegerColumn({ name: 's5', default: 0 }) failed!: number;
  /** JSON of the top lists and of the visitor sketch; empty for an old hour. */
  @TextColumn() detail!: string;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { BigIntegerColumn, TextColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** How long a piece of time statistics are added up for is: hour, day, month. */
export type StatisticUnit = 'h' | 'd' | 'm';

/** Visitor statistics of a site for an hour, a day or a month, in the time zone its log is written in. */
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
  /** Pages that were seen by people. */
  @BigIntegerColumn({ default: 0 }) pages!: number;
  /** Addresses that were not spiders', an estimate where there are many. */
  @BigIntegerColumn({ default: 0 }) visitors!: number;
  @BigIntegerColumn({ default: 0 }) bytes!: number;
  /** Answers by the first digit of their status. */
  @BigIntegerColumn({ name: 's2', default: 0 }) succeeded!: number;
  @BigIntegerColumn({ name: 's3', default: 0 }) redirected!: number;
  @BigIntegerColumn({ name: 's4', default: 0 }) refused!: number;
  @BigIntegerColumn({ name: 's5', default: 0 }) failed!: number;
  /** JSON of the lists and of the sketch of visitors; empty for an hour that is over for long. */
  @TextColumn() detail!: string;
}

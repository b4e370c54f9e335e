import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { FenColumn, FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingNode } from './hosting-node.entity.js';

/** How names of a zone resolve to their server: `pan` by an existing wildcard record, `dnsapi` by one record per name. */
export type ZoneChannel = 'pan' | 'dnsapi';

/** A base domain whose second-level names are sold. */
@Entity('SVC_ym')
@Index('IX_SVC_ym_bt', ['nodeCode', 'id'])
@Index('IX_SVC_ym_url', ['domain'])
export class SaleDomain {
  @PrimaryGeneratedColumn() id!: number;
  /** In lower case and punycode. */
  @StringColumn(128, { name: 'url' }) domain!: string;
  @StringColumn(64, { name: 'bt' }) nodeCode!: string;
  @ManyToOne(() => HostingNode, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'bt', referencedColumnName: 'code', foreignKeyConstraintName: 'FK_SVC_ym_bt' })
  node?: HostingNode;
  /** Price for {@link months} in fen; 0: free. */
  @FenColumn({ name: 'jg', default: 0 }) price!: number;
  @FlagColumn({ name: 'kg', default: true }) onSale!: boolean;
  @StringColumn(255, { name: 'js', default: '' }) description!: string;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
  @StringColumn(16, { default: 'pan' }) channel!: ZoneChannel;
  /** The DNS provider that records are set at; 0: none. */
  @IntegerColumn({ name: 'provider_id', default: 0 }) providerId!: number;
  /** Months of one purchase period; 0: no expiry. */
  @IntegerColumn({ default: 12 }) months!: number;
  /** Maximum names per customer in this zone; 0: unlimited. */
  @IntegerColumn({ name: 'per_customer', default: 0 }) perCustomer!: number;
  /** Prefixes that are not sold, separated by spaces. */
  @StringColumn(1000, { default: '' }) reserved!: string;
  /** Days of grace after the last day of a name. */
  @IntegerColumn({ name: 'grace_days', default: 7 }) graceDays!: number;
  /** Days before a released name can be bought again. */
  @IntegerColumn({ name: 'rest_days', default: 30 }) restDays!: number;
}

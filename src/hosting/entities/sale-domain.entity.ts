import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { FenColumn, FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingNode } from './hosting-node.entity.js';

/** How names of a zone lead to their server: `pan` by a wildcard record somebody has set once, `dnsapi` by a record of each name. */
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
  /** Fen for {@link months}; 0: given away. */
  @FenColumn({ name: 'jg', default: 0 }) price!: number;
  @FlagColumn({ name: 'kg', default: true }) onSale!: boolean;
  @StringColumn(255, { name: 'js', default: '' }) description!: string;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
  @StringColumn(16, { default: 'pan' }) channel!: ZoneChannel;
  /** The DNS provider records are set at, of whoever sets them; 0: none. */
  @IntegerColumn({ name: 'provider_id', default: 0 }) providerId!: number;
  /** Months a name is had for at a time; 0: without a last day. */
  @IntegerColumn({ default: 12 }) months!: number;
  /** Names one customer may have here; 0: any number. */
  @IntegerColumn({ name: 'per_customer', default: 0 }) perCustomer!: number;
  /** Prefixes nobody is given, with spaces between them. */
  @StringColumn(1000, { default: '' }) reserved!: string;
  /** Days a name goes on after its last one. */
  @IntegerColumn({ name: 'grace_days', default: 7 }) graceDays!: number;
  /** Days nobody gets a name that was given up. */
  @IntegerColumn({ name: 'rest_days', default: 30 }) restDays!: number;
}

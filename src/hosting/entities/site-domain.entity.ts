import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** A domain bound to a site. It goes with its account, in the same transaction: the name is free then. */
@Entity('SVC_site_domain')
@Unique('UQ_SVC_site_domain_name', ['name'])
@Index('IX_SVC_site_domain_zj', ['accountId', 'id'])
@Index('IX_SVC_site_domain_reversed', ['reversed'])
export class SiteDomain {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'zj_id' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_domain_zj' })
  account?: HostingAccount;
  /** In lower case and punycode, such as `www.example.com` or `*.example.com`. */
  @StringColumn(253) name!: string;
  /** The labels the other way round and without `*`, such as `com.example.www`: what lies below a name is one range of these. */
  @StringColumn(253) reversed!: string;
  /** Folder it shows, below the web root and without slashes around it; empty for the web root itself. */
  @StringColumn(255, { default: '' }) folder!: string;
  /** The address its owner shows others; of an account's domains, one or none. */
  @FlagColumn({ name: 'is_main', default: false }) isMain!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

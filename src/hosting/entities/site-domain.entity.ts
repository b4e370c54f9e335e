import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** A domain bound to a site. Deleted with its account in the same transaction, which frees the name. */
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
  /** The labels in reverse order and without `*`, such as `com.example.www`, so that everything below a name is one index range. */
  @StringColumn(253) reversed!: string;
  /** Folder it serves, relative to the web root and without surrounding slashes; empty for the web root itself. */
  @StringColumn(255, { default: '' }) folder!: string;
  /** The primary address of the site; at most one domain per account. */
  @FlagColumn({ name: 'is_main', default: false }) isMain!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

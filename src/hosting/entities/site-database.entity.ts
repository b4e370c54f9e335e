import { Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

import { TextColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/**
 * The database password of a site, as last set in the panel. Deleted with its account; a site without a row has a password the panel does
 * not know.
 */
@Entity('SVC_site_database')
export class SiteDatabaseSecret {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @OneToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_database_zj' })
  account?: HostingAccount;
  /** Encrypted with the key of the installation. */
  @TextColumn({ name: 'password' }) sealedPassword!: string;
  @TimeColumn({ name: 'set_at' }) setAt!: Date;
}

import { Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

import { StringColumn, TextColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** The web settings of a site; a site without a row uses the defaults. Deleted with its account. */
@Entity('SVC_site_setting')
export class HostWebSettings {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @OneToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_setting_zj' })
  account?: HostingAccount;
  /** Changes with every update and is unique across accounts, so it identifies these exact settings. */
  @StringColumn(32) version!: string;
  /** JSON of what differs from `DEFAULT_WEB_SETTINGS`. */
  @TextColumn({ name: 'value' }) value!: string;
}

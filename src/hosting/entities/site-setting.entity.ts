import { Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';

import { StringColumn, TextColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** How a site is served, as its owner set it; a site without a row is served as every new one is. It goes with its account. */
@Entity('SVC_site_setting')
export class SiteSetting {
  @PrimaryColumn({ name: 'zj_id', type: 'int' }) accountId!: number;
  @OneToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_site_setting_zj' })
  account?: HostingAccount;
  /** Another one after each change, and never the same for two accounts: whoever has read the settings knows by it that they are these. */
  @StringColumn(32) version!: string;
  /** JSON of what differs from `DEFAULT_WEB_SETTINGS`. */
  @TextColumn({ name: 'value' }) value!: string;
}

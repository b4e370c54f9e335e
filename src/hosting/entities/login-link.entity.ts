import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/**
 * A single-use sign-in link. The URL holds a random token, the row only its SHA-256, so that a leaked table does not expose usable links.
 */
@Entity('SVC_login_link')
@Unique('UQ_SVC_login_link_token_hash', ['tokenHash'])
@Index('IX_SVC_login_link_zj', ['accountId'])
@Index('IX_SVC_login_link_expires', ['expiresAt'])
export class LoginLink {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  @IntegerColumn({ name: 'zj_id' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_login_link_zj' })
  account?: HostingAccount;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}

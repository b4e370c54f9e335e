import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/**
 * A single-use link that downloads one file of a site, for the person who requested it. The URL holds a random token, the row only its
 * SHA-256, so that a leaked table does not expose usable links.
 */
@Entity('SVC_file_link')
@Unique('UQ_SVC_file_link_token_hash', ['tokenHash'])
@Index('IX_SVC_file_link_zj', ['accountId'])
@Index('IX_SVC_file_link_expires', ['expiresAt'])
export class FileLink {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  /** The account whose site the file belongs to. */
  @IntegerColumn({ name: 'zj_id' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_file_link_zj' })
  account?: HostingAccount;
  /** Who may use it: `user` or `admin`, a colon, and the id. */
  @StringColumn(40, { name: 'for_whom' }) forWhom!: string;
  /** Path of the file. */
  @TextColumn({ name: 'path' }) path!: string;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}

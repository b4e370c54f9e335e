import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';
import type { NoticeSide } from '../notice.js';
import type { NoticeKind, NoticeLevel, NoticeWords } from '../notice.js';

/** A notice to one person: the owner of a hosting account, an administrator or a customer. */
@Entity('SVC_notice_log')
@Index('IX_SVC_notice_log_owner', ['side', 'accountId', 'isRead', 'id'])
@Index('IX_SVC_notice_log_page', ['side', 'accountId', 'id'])
@Index('IX_SVC_notice_log_side', ['side', 'id'])
@Index('UQ_SVC_notice_log_told', ['side', 'accountId', 'key'], { unique: true })
export class Notice {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10, { default: 'user' }) side!: NoticeSide;
  /** `SVC_zj.id`, `SVC_admin.id` on the admin side, `SVC_plugin_user.id` of a customer. */
  @IntegerColumn({ name: 'account_id', default: 0 }) accountId!: number;
  /** Name of the recipient when it was written. */
  @StringColumn(64, { name: 'user' }) username!: string;
  @StringColumn(50, { name: 'type' }) kind!: NoticeKind;
  @StringColumn(20, { default: 'info' }) level!: NoticeLevel;
  /** In the language of the recipient's mails. */
  @StringColumn(250) title!: string;
  @TextColumn() content!: string;
  /** The text as keys, to show it in the reader's language; null for typed text. */
  @JsonColumn({ nullable: true }) words!: NoticeWords | null;
  /** Path in the panel with details; empty for none. */
  @StringColumn(500, { default: '' }) link!: string;
  /** Deduplication key: a recipient gets one notice per key. Null for no deduplication. */
  @StringColumn(160, { name: 'told_key', nullable: true }) key!: string | null;
  @FlagColumn({ name: 'is_read', default: false }) isRead!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

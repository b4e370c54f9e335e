import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';
import type { NoticeKind } from '../notice.js';

/** A notification channel, such as a chat group, phone or program. Administrators share theirs. */
@Entity('SVC_notice_channel')
@Index('IX_SVC_notice_channel_owner', ['side', 'accountId', 'id'])
export class NoticeChannel {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: 'admin' | 'user';
  /** `SVC_zj.id`; 0 on the admin side. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** Kind, such as `telegram`; for a plugin the plugin's own name of it. */
  @StringColumn(40) type!: string;
  /** Slug of the plugin that provides the kind; empty for built-in kinds. */
  @StringColumn(64, { default: '' }) plugin!: string;
  @StringColumn(100) name!: string;
  /** Encrypted JSON of its fields. */
  @TextColumn() settings!: string;
  /** Kinds of notices it receives. */
  @JsonColumn() kinds!: NoticeKind[];
  @FlagColumn({ default: true }) enabled!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';
import type { NoticeKind } from '../notice.js';

/** A way out of the panel: a group, a phone, a program. Those of administrators are everybody's who runs the panel. */
@Entity('SVC_notice_channel')
@Index('IX_SVC_notice_channel_owner', ['side', 'accountId', 'id'])
export class NoticeChannel {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) side!: 'admin' | 'user';
  /** `SVC_zj.id`; 0 on the admin side. */
  @IntegerColumn({ name: 'account_id' }) accountId!: number;
  /** Its kind, such as `telegram`; of a plugin's the plugin's own name of it. */
  @StringColumn(40) type!: string;
  /** Slug of the plugin that brings its kind; empty: the panel itself. */
  @StringColumn(64, { default: '' }) plugin!: string;
  @StringColumn(100) name!: string;
  /** JSON of its fields, sealed. */
  @TextColumn() settings!: string;
  /** What it is told of. */
  @JsonColumn() kinds!: NoticeKind[];
  @FlagColumn({ default: true }) enabled!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

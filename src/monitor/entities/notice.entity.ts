import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A message to a user of the panel. */
@Entity('SVC_notice_log')
@Index('IX_SVC_notice_log_user', ['user', 'isRead', 'id'])
export class Notice {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) user!: string;
  @StringColumn(50) type!: string;
  @StringColumn(20, { default: 'info' }) level!: string;
  @StringColumn(250) title!: string;
  @TextColumn() content!: string;
  @FlagColumn({ name: 'is_read', default: false }) isRead!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

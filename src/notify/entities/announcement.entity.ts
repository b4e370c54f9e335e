import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { DayColumn, FlagColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** An announcement to all users, or to those of one server, for some days. */
@Entity('SVC_announcement')
@Index('IX_SVC_announcement_until', ['untilOn', 'id'])
export class Announcement {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(250) title!: string;
  /** Markdown. */
  @TextColumn() content!: string;
  @StringColumn(20, { default: 'info' }) level!: 'info' | 'warning' | 'danger';
  /** Code of the server whose users see it; empty for all users. */
  @StringColumn(64, { default: '' }) server!: string;
  /** Whether its title is shown as a banner on every user page. */
  @FlagColumn({ default: true }) banner!: boolean;
  /** First and last day in the installation's time zone; null for unlimited. */
  @DayColumn({ name: 'from_on', nullable: true }) fromOn!: string | null;
  @DayColumn({ name: 'until_on', nullable: true }) untilOn!: string | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

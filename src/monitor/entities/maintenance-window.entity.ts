import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** How often a window comes back. */
export const WINDOW_REPEATS = ['once', 'daily', 'weekly'] as const;

/** A time in which monitors are not looked at and nobody is told of them. */
@Entity('SVC_monitor_window')
export class MaintenanceWindow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(120) title!: string;
  /** Only monitors of this account; empty for those of everybody. */
  @StringColumn(64, { default: '' }) user!: string;
  /** Only monitors with this tag; empty for all. */
  @StringColumn(50, { default: '' }) tag!: string;
  @TimeColumn({ name: 'starts_at' }) startsAt!: Date;
  /** The end of the first time. */
  @TimeColumn({ name: 'ends_at' }) endsAt!: Date;
  @StringColumn(10, { default: 'once' }) repeats!: (typeof WINDOW_REPEATS)[number];
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

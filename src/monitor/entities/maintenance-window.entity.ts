import { Entity, PrimaryGeneratedColumn } from 'typeorm';

import { StringColumn, TimeColumn } from '../../database/index.js';

/** Repetition of a window. */
export const WINDOW_REPEATS = ['once', 'daily', 'weekly'] as const;

/** A period in which monitors are neither checked nor reported. */
@Entity('SVC_monitor_window')
export class MaintenanceWindow {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(120) title!: string;
  /** Limits it to monitors of this account; empty for all. */
  @StringColumn(64, { default: '' }) user!: string;
  /** Limits it to monitors with this tag; empty for all. */
  @StringColumn(50, { default: '' }) tag!: string;
  @TimeColumn({ name: 'starts_at' }) startsAt!: Date;
  /** End of the first occurrence. */
  @TimeColumn({ name: 'ends_at' }) endsAt!: Date;
  @StringColumn(10, { default: 'once' }) repeats!: (typeof WINDOW_REPEATS)[number];
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

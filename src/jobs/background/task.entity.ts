import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import type { TaskState } from './background-queue.js';

/** One background task. */
@Entity('SVC_task')
@Unique('UQ_SVC_task_open', ['name', 'openKey'])
@Index('IX_SVC_task_turn', ['name', 'state', 'ready', 'priority', 'dueAt', 'id'])
@Index('IX_SVC_task_due', ['state', 'ready', 'dueAt'])
export class Task {
  @PrimaryGeneratedColumn({ type: 'int' }) id!: number;
  @StringColumn(60) name!: string;
  /** Prevents duplicates while unfinished. */
  @StringColumn(120, { nullable: true }) key!: string | null;
  /** {@link key} until the task is finished, then null. */
  @StringColumn(120, { name: 'open_key', nullable: true }) openKey!: string | null;
  /** JSON. */
  @TextColumn() payload!: string;
  /** Smaller runs first. */
  @IntegerColumn() priority!: number;
  @StringColumn(120, { name: 'added_by', nullable: true }) by!: string | null;
  @StringColumn(12) state!: TaskState;
  /** False for a delayed task, so that the next due task is found without scanning delayed ones. */
  @FlagColumn({ default: true }) ready!: boolean;
  /** Number of attempts started. */
  @IntegerColumn({ default: 0 }) attempts!: number;
  @TimeColumn({ name: 'added_at' }) addedAt!: Date;
  /** Waiting: earliest start. Running: end of the lease. Finished: since when. */
  @TimeColumn({ name: 'due_at' }) dueAt!: Date;
  /** The claim under which it runs: process name and a sequence number. */
  @StringColumn(60, { nullable: true }) holder!: string | null;
  @TimeColumn({ name: 'started_at', nullable: true }) startedAt!: Date | null;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** Whether it was cancelled while running. */
  @FlagColumn({ name: 'cancel_asked', default: false }) cancelAsked!: boolean;
  @IntegerColumn({ name: 'progress_done', nullable: true }) progressDone!: number | null;
  @IntegerColumn({ name: 'progress_total', nullable: true }) progressTotal!: number | null;
  @StringColumn(200, { name: 'progress_note', nullable: true }) progressNote!: string | null;
  /** Error of the latest failed attempt. */
  @StringColumn(1000, { nullable: true }) error!: string | null;
  /** Result of the handler, as JSON. */
  @TextColumn({ nullable: true }) result!: string | null;
}

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
  /** Keeps a second one from being added. */
  @StringColumn(120, { nullable: true }) key!: string | null;
  /** {@link key} until it is finished, null afterwards. */
  @StringColumn(120, { name: 'open_key', nullable: true }) openKey!: string | null;
  /** JSON. */
  @TextColumn() payload!: string;
  /** Smaller goes first. */
  @IntegerColumn() priority!: number;
  @StringColumn(120, { name: 'added_by', nullable: true }) by!: string | null;
  @StringColumn(12) state!: TaskState;
  /** False of one that waits for its time: so the next one in turn is found without passing over all of those. */
  @FlagColumn({ default: true }) ready!: boolean;
  /** How often it was started. */
  @IntegerColumn({ default: 0 }) attempts!: number;
  @TimeColumn({ name: 'added_at' }) addedAt!: Date;
  /** Waiting: not before. Running: end of the lease. Finished: since when. */
  @TimeColumn({ name: 'due_at' }) dueAt!: Date;
  /** The claim under which it runs: the process and a number of its own. */
  @StringColumn(60, { nullable: true }) holder!: string | null;
  @TimeColumn({ name: 'started_at', nullable: true }) startedAt!: Date | null;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** Whether somebody cancelled it while it runs. */
  @FlagColumn({ name: 'cancel_asked', default: false }) cancelAsked!: boolean;
  @IntegerColumn({ name: 'progress_done', nullable: true }) progressDone!: number | null;
  @IntegerColumn({ name: 'progress_total', nullable: true }) progressTotal!: number | null;
  @StringColumn(200, { name: 'progress_note', nullable: true }) progressNote!: string | null;
  /** What the latest attempt that failed failed with. */
  @StringColumn(1000, { nullable: true }) error!: string | null;
  /** JSON of what the handler returned. */
  @TextColumn({ nullable: true }) result!: string | null;
}

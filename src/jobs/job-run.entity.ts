import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../database/index.js';

/**
 * One run of a job. Two unique constraints coordinate all processes by a single INSERT: a job runs once for each due time, and no second
 * run starts while one is running.
 */
@Entity('SVC_job_run')
@Unique('UQ_SVC_job_run_due', ['job', 'dueAt'])
@Unique('UQ_SVC_job_run_running', ['running'])
@Index('IX_SVC_job_run_lease', ['leaseUntil'])
export class JobRun {
  @PrimaryGeneratedColumn({ type: 'int' }) id!: number;
  /** Owner and name, such as `core:order-expiry`. */
  @StringColumn(80) job!: string;
  /** Due minute; for a manual run the moment of the request. */
  @TimeColumn({ name: 'due_at' }) dueAt!: Date;
  /** {@link job} while it runs, null afterwards. */
  @StringColumn(80, { nullable: true }) running!: string | null;
  /** The process that runs it. */
  @StringColumn(60) holder!: string;
  /** The process is considered crashed if it has not renewed the lease by then. */
  @TimeColumn({ name: 'lease_until' }) leaseUntil!: Date;
  @TimeColumn({ name: 'started_at' }) startedAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** Number of items processed, if reported. */
  @IntegerColumn({ nullable: true }) items!: number | null;
  /** Error; null on success. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}

import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../database/index.js';

/**
 * One run of a job. Two unique values make every process of many agree by one INSERT: a job runs once at each time it is due, and a
 * second run of it does not begin while one is under way.
 */
@Entity('SVC_job_run')
@Unique('UQ_SVC_job_run_due', ['job', 'dueAt'])
@Unique('UQ_SVC_job_run_running', ['running'])
@Index('IX_SVC_job_run_lease', ['leaseUntil'])
export class JobRun {
  @PrimaryGeneratedColumn({ type: 'int' }) id!: number;
  /** Owner and name, such as `core:order-expiry`. */
  @StringColumn(80) job!: string;
  /** The minute it was due at; of a run by hand the moment that was asked for. */
  @TimeColumn({ name: 'due_at' }) dueAt!: Date;
  /** {@link job} while it runs, null afterwards. */
  @StringColumn(80, { nullable: true }) running!: string | null;
  /** The process that runs it. */
  @StringColumn(60) holder!: string;
  /** The holder is taken for dead where it has not said until then that it is still at work. */
  @TimeColumn({ name: 'lease_until' }) leaseUntil!: Date;
  @TimeColumn({ name: 'started_at' }) startedAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** How many things it dealt with, where it says so. */
  @IntegerColumn({ nullable: true }) items!: number | null;
  /** What it failed with; null where it did not. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}

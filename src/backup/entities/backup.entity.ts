import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A backup that is being made, was made, or failed. */
@Entity('SVC_backup')
@Unique('UQ_SVC_backup_running', ['running'])
@Index('IX_SVC_backup_state', ['state', 'id'])
export class Backup {
  @PrimaryGeneratedColumn() id!: number;
  /** Name of the file, in the folder or the bucket. */
  @StringColumn(100) name!: string;
  /** Where it is kept. */
  @StringColumn(10) place!: 'folder' | 's3';
  @StringColumn(10) state!: 'running' | 'done' | 'failed';
  /** Who wanted it. */
  @StringColumn(10) cause!: 'schedule' | 'hand' | 'terminal';
  /** A fixed word while it runs, null afterwards: two at once would meet at the same disk. */
  @StringColumn(10, { nullable: true }) running!: string | null;
  /** The process that makes it is taken for dead where it has not said until then that it is at work. */
  @TimeColumn({ name: 'lease_until' }) leaseUntil!: Date;
  @TimeColumn({ name: 'started_at' }) startedAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** Rows of the database in it so far. */
  @BigIntegerColumn({ name: 'row_count', default: 0 }) rows!: number;
  @IntegerColumn({ name: 'file_count', default: 0 }) files!: number;
  /** Of the file in the end; before that of what was read so far. In bytes. */
  @BigIntegerColumn({ default: 0 }) size!: number;
  /** What it failed with, as `packWords` writes it; null where it did not. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}

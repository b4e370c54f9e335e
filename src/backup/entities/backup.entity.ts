import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A running, finished or failed backup. */
@Entity('SVC_backup')
@Unique('UQ_SVC_backup_running', ['running'])
@Index('IX_SVC_backup_state', ['state', 'id'])
export class Backup {
  @PrimaryGeneratedColumn() id!: number;
  /** File name in the folder or bucket. */
  @StringColumn(100) name!: string;
  /** Storage type. */
  @StringColumn(10) place!: 'folder' | 's3';
  @StringColumn(10) state!: 'running' | 'done' | 'failed';
  /** Trigger of the backup. */
  @StringColumn(10) cause!: 'schedule' | 'hand' | 'terminal';
  /** A constant while running, else null; its unique index prevents concurrent backups. */
  @StringColumn(10, { nullable: true }) running!: string | null;
  /** Lease: if not renewed by then, the process is considered crashed. */
  @TimeColumn({ name: 'lease_until' }) leaseUntil!: Date;
  @TimeColumn({ name: 'started_at' }) startedAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
  /** Database rows written so far. */
  @BigIntegerColumn({ name: 'row_count', default: 0 }) rows!: number;
  @IntegerColumn({ name: 'file_count', default: 0 }) files!: number;
  /** File size in bytes; while running, bytes read so far. */
  @BigIntegerColumn({ default: 0 }) size!: number;
  /** Error as written by `packWords`; null if it did not fail. */
  @StringColumn(500, { nullable: true }) error!: string | null;
}

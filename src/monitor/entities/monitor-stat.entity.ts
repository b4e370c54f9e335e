import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { BigIntegerColumn, IntegerColumn } from '../../database/index.js';

import { MonitorTask } from './monitor-task.entity.js';

/** `m` minute, `h` hour, `d` day: of UTC. */
export type StatUnit = 'm' | 'h' | 'd';

/** The checks of one monitor in a minute, an hour or a day, added up. */
@Entity('SVC_monitor_stat')
@Index('IX_SVC_monitor_stat_at', ['unit', 'at'])
export class MonitorStat {
  @PrimaryColumn({ type: 'int', name: 'task_id' }) taskId!: number;
  @ManyToOne(() => MonitorTask, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'task_id', foreignKeyConstraintName: 'FK_SVC_monitor_stat_task' })
  task?: MonitorTask;
  @PrimaryColumn({ type: 'varchar', length: 1 }) unit!: StatUnit;
  /** Its beginning. */
  @PrimaryColumn({ type: 'datetime', precision: 3 }) at!: Date;
  @IntegerColumn() checks!: number;
  @IntegerColumn() oks!: number;
  /** Successes whose time was measured. */
  @IntegerColumn() timed!: number;
  /** Milliseconds of those together. */
  @BigIntegerColumn({ name: 'ms_total' }) msTotal!: number;
  /** The slowest of them. */
  @IntegerColumn({ name: 'ms_most' }) msMost!: number;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { BigIntegerColumn, IntegerColumn } from '../../database/index.js';

import { MonitorTask } from './monitor-task.entity.js';

/** `m` minute, `h` hour, `d` day, in UTC. */
export type StatUnit = 'm' | 'h' | 'd';

/** Aggregated checks of one monitor per minute, hour or day. */
@Entity('SVC_monitor_stat')
@Index('IX_SVC_monitor_stat_at', ['unit', 'at'])
export class MonitorStat {
  @PrimaryColumn({ type: 'int', name: 'task_id' }) taskId!: number;
  @ManyToOne(() => MonitorTask, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'task_id', foreignKeyConstraintName: 'FK_SVC_monitor_stat_task' })
  task?: MonitorTask;
  @PrimaryColumn({ type: 'varchar', length: 1 }) unit!: StatUnit;
  /** Start of the period. */
  @PrimaryColumn({ type: 'datetime', precision: 3 }) at!: Date;
  @IntegerColumn() checks!: number;
  @IntegerColumn() oks!: number;
  /** Number of successful checks with a response time. */
  @IntegerColumn() timed!: number;
  /** Sum of their response times in milliseconds. */
  @BigIntegerColumn({ name: 'ms_total' }) msTotal!: number;
  /** Maximum of their response times in milliseconds. */
  @IntegerColumn({ name: 'ms_most' }) msMost!: number;
}

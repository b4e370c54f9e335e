import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { MonitorTask } from './monitor-task.entity.js';

/** Result of one check of a monitor. */
@Entity('SVC_monitor_log')
@Index('IX_SVC_monitor_log_task', ['taskId', 'id'])
@Index('IX_SVC_monitor_log_user', ['user', 'id'])
@Index('IX_SVC_monitor_log_created', ['createdAt'])
export class MonitorCheck {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'task_id' }) taskId!: number;
  @ManyToOne(() => MonitorTask, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'task_id', foreignKeyConstraintName: 'FK_SVC_monitor_log_task' })
  task?: MonitorTask;
  @StringColumn(64) user!: string;
  @StringColumn(1000, { default: '' }) url!: string;
  @IntegerColumn({ name: 'status_code', nullable: true }) statusCode!: number | null;
  /** Milliseconds. */
  @IntegerColumn({ name: 'response_time', nullable: true }) responseTime!: number | null;
  @StringColumn(20, { name: 'check_status' }) status!: string;
  @TextColumn({ name: 'error_message', nullable: true }) error!: string | null;
  @StringColumn(500, { name: 'response_excerpt', default: '' }) excerpt!: string;
  @FlagColumn({ default: false }) notified!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

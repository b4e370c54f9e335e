import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** A check that runs every so often: a URL, or a resource of the user's account. */
@Entity('SVC_monitor_task')
@Index('IX_SVC_monitor_task_user', ['user', 'id'])
@Index('IX_SVC_monitor_task_due', ['enabled', 'nextRunAt'])
export class MonitorTask {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) user!: string;
  @StringColumn(250, { default: '' }) name!: string;
  @StringColumn(30, { name: 'task_type', default: 'url' }) type!: string;
  @StringColumn(1000, { default: '' }) url!: string;
  @StringColumn(30, { name: 'resource_type', default: '' }) resource!: string;
  /** Percent, 1 to 100. */
  @IntegerColumn({ name: 'resource_threshold', default: 80 }) resourceThreshold!: number;
  @StringColumn(10, { default: 'GET' }) method!: string;
  @IntegerColumn({ name: 'interval_seconds', default: 60 }) intervalSeconds!: number;
  @IntegerColumn({ name: 'timeout_seconds', default: 10 }) timeoutSeconds!: number;
  @StringColumn(20, { name: 'status_rule', default: 'eq' }) statusRule!: string;
  @StringColumn(100, { name: 'status_value', default: '200' }) statusValue!: string;
  @StringColumn(20, { name: 'content_rule', default: 'none' }) contentRule!: string;
  @TextColumn({ name: 'content_value', nullable: true }) contentValue!: string | null;
  /** Failures in a row before somebody is told. */
  @IntegerColumn({ name: 'fail_threshold', default: 1 }) failThreshold!: number;
  @FlagColumn({ name: 'notify_email', default: true }) notifyByEmail!: boolean;
  @FlagColumn({ default: true }) enabled!: boolean;
  @TimeColumn({ name: 'last_run', nullable: true }) lastRunAt!: Date | null;
  @TimeColumn({ name: 'next_run', nullable: true }) nextRunAt!: Date | null;
  @StringColumn(20, { name: 'last_status', nullable: true }) lastStatus!: string | null;
  @IntegerColumn({ name: 'last_code', nullable: true }) lastCode!: number | null;
  @TextColumn({ name: 'last_error', nullable: true }) lastError!: string | null;
  @IntegerColumn({ name: 'fail_count', default: 0 }) failCount!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** What a monitor looks at. */
export const MONITOR_KINDS = ['url', 'tcp', 'dns', 'cert', 'domain', 'push', 'resource', 'server'] as const;

/** One of {@link MONITOR_KINDS}. */
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** How a monitor stands. `pending`: not known yet, or failing less often than its threshold. */
export type MonitorState = 'pending' | 'up' | 'down' | 'maintenance';

/** A check that runs every so often. */
@Entity('SVC_monitor_task')
@Index('IX_SVC_monitor_task_user', ['user', 'id'])
@Index('IX_SVC_monitor_task_account', ['accountId', 'id'])
@Index('IX_SVC_monitor_task_due', ['enabled', 'nextRunAt'])
@Index('IX_SVC_monitor_task_claim', ['claim'])
@Index('IX_SVC_monitor_task_status', ['statusPageId', 'id'])
@Index('UQ_SVC_monitor_task_push', ['pushHash'], { unique: true })
export class MonitorTask {
  @PrimaryGeneratedColumn() id!: number;
  /** Login of the account it belongs to; empty for one of the administrators. */
  @StringColumn(64) user!: string;
  /** Number of that account, which no later one of the same name has; null for one of the administrators. */
  @IntegerColumn({ name: 'account_id', nullable: true }) accountId!: number | null;
  @StringColumn(250, { default: '' }) name!: string;
  @StringColumn(30, { name: 'task_type', default: 'url' }) type!: MonitorKind;
  /** Address of `url`, `host:port` of `tcp` and `cert`, the name of `dns` and `domain`, the agent's id of `server`; empty otherwise. */
  @StringColumn(1000, { default: '' }) url!: string;
  /** `web`, `sql` or `traffic` of `resource`; `heartbeat`, `load` or `disk` of `server`. */
  @StringColumn(30, { name: 'resource_type', default: '' }) resource!: string;
  /** Percent, 1 to 100; of a server's load the most that is fine. */
  @IntegerColumn({ name: 'resource_threshold', default: 80 }) resourceThreshold!: number;
  @StringColumn(10, { default: 'GET' }) method!: string;
  /** Headers of `url`, JSON, sealed; null for none. */
  @TextColumn({ nullable: true }) headers!: string | null;
  /** Type of record of `dns`. */
  @StringColumn(10, { name: 'record_type', default: 'A' }) recordType!: string;
  /** Of `cert` and `domain`: fewer days than this left is a failure. */
  @IntegerColumn({ name: 'warn_days', default: 14 }) warnDays!: number;
  @IntegerColumn({ name: 'interval_seconds', default: 60 }) intervalSeconds!: number;
  /** Of `push`: how late a call may be. */
  @IntegerColumn({ name: 'timeout_seconds', default: 10 }) timeoutSeconds!: number;
  @StringColumn(20, { name: 'status_rule', default: 'eq' }) statusRule!: string;
  @StringColumn(100, { name: 'status_value', default: '200' }) statusValue!: string;
  @StringColumn(20, { name: 'content_rule', default: 'none' }) contentRule!: string;
  @TextColumn({ name: 'content_value', nullable: true }) contentValue!: string | null;
  /** Failures in a row before somebody is told. */
  @IntegerColumn({ name: 'fail_threshold', default: 1 }) failThreshold!: number;
  /** Successes in a row before it is up again. */
  @IntegerColumn({ name: 'recovery_threshold', default: 1 }) recoveryThreshold!: number;
  /** Seconds to the next check while it fails; 0: as ever. */
  @IntegerColumn({ name: 'retry_seconds', default: 0 }) retrySeconds!: number;
  /** Told again after this many further failures; 0: never. */
  @IntegerColumn({ name: 'repeat_every', default: 0 }) repeatEvery!: number;
  /** A success is a failure and the other way round. */
  @FlagColumn({ name: 'upside_down', default: false }) upsideDown!: boolean;
  /** With commas. */
  @StringColumn(250, { default: '' }) tags!: string;
  /** The status page that shows it, as {@link statusName}; null: none. */
  @IntegerColumn({ name: 'status_page_id', nullable: true }) statusPageId!: number | null;
  @StringColumn(120, { name: 'status_name', default: '' }) statusName!: string;
  @FlagColumn({ name: 'notify_email', default: true }) notifyByEmail!: boolean;
  @FlagColumn({ default: true }) enabled!: boolean;
  /** SHA-256 of the key in the address of `push`. */
  @StringColumn(64, { name: 'push_hash', nullable: true }) pushHash!: string | null;
  @TimeColumn({ name: 'last_push', nullable: true }) lastPushAt!: Date | null;
  @TimeColumn({ name: 'last_run', nullable: true }) lastRunAt!: Date | null;
  @TimeColumn({ name: 'next_run', nullable: true }) nextRunAt!: Date | null;
  /** Of the last check: `ok` or `fail`. */
  @StringColumn(20, { name: 'last_status', nullable: true }) lastStatus!: string | null;
  @IntegerColumn({ name: 'last_code', nullable: true }) lastCode!: number | null;
  /** Milliseconds. */
  @IntegerColumn({ name: 'last_ms', nullable: true }) lastMs!: number | null;
  /** JSON of a text, see `packWords`. */
  @TextColumn({ name: 'last_error', nullable: true }) lastError!: string | null;
  @StringColumn(20, { default: 'pending' }) state!: MonitorState;
  @TimeColumn({ name: 'state_since', nullable: true }) stateSince!: Date | null;
  /** In a row. */
  @IntegerColumn({ name: 'fail_count', default: 0 }) failCount!: number;
  /** In a row. */
  @IntegerColumn({ name: 'ok_count', default: 0 }) okCount!: number;
  /** Whether somebody was told that it is down, and not yet that it is up. */
  @FlagColumn({ default: false }) told!: boolean;
  @IntegerColumn({ name: 'runs_since_told', default: 0 }) runsSinceTold!: number;
  /** How often it went down since it was last up for long. */
  @IntegerColumn({ default: 0 }) flips!: number;
  /** Whoever checks it right now; nobody else may before {@link claimedUntil}. */
  @StringColumn(36, { nullable: true }) claim!: string | null;
  @TimeColumn({ name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

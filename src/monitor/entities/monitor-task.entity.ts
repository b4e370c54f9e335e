import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { FlagColumn, IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

/** Kinds of monitors. */
export const MONITOR_KINDS = ['url', 'tcp', 'dns', 'cert', 'domain', 'push', 'resource', 'server'] as const;

/** One of {@link MONITOR_KINDS}. */
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** State of a monitor. `pending`: unknown, or failing less often than its threshold. */
export type MonitorState = 'pending' | 'up' | 'down' | 'maintenance';

/** A monitor: a check that runs periodically. */
@Entity('SVC_monitor_task')
@Index('IX_SVC_monitor_task_user', ['user', 'id'])
@Index('IX_SVC_monitor_task_account', ['accountId', 'id'])
@Index('IX_SVC_monitor_task_due', ['enabled', 'nextRunAt'])
@Index('IX_SVC_monitor_task_claim', ['claim'])
@Index('IX_SVC_monitor_task_status', ['statusPageId', 'id'])
@Index('UQ_SVC_monitor_task_push', ['pushHash'], { unique: true })
export class MonitorTask {
  @PrimaryGeneratedColumn() id!: number;
  /** Login of the owning account; empty for monitors of the administrators. */
  @StringColumn(64) user!: string;
  /** Id of that account, never reused by a later account of the same name; null for monitors of the administrators. */
  @IntegerColumn({ name: 'account_id', nullable: true }) accountId!: number | null;
  @StringColumn(250, { default: '' }) name!: string;
  @StringColumn(30, { name: 'task_type', default: 'url' }) type!: MonitorKind;
  /** URL for `url`, `host:port` for `tcp` and `cert`, name for `dns` and `domain`, agent id for `server`; empty otherwise. */
  @StringColumn(1000, { default: '' }) url!: string;
  /** `web`, `sql` or `traffic` for `resource`; `heartbeat`, `load` or `disk` for `server`. */
  @StringColumn(30, { name: 'resource_type', default: '' }) resource!: string;
  /** Threshold in percent, 1 to 100; for a server's load the maximum acceptable load. */
  @IntegerColumn({ name: 'resource_threshold', default: 80 }) resourceThreshold!: number;
  @StringColumn(10, { default: 'GET' }) method!: string;
  /** Encrypted JSON headers for `url`; null for none. */
  @TextColumn({ nullable: true }) headers!: string | null;
  /** Record type for `dns`. */
  @StringColumn(10, { name: 'record_type', default: 'A' }) recordType!: string;
  /** For `cert` and `domain`: fewer days left than this is a failure. */
  @IntegerColumn({ name: 'warn_days', default: 14 }) warnDays!: number;
  @IntegerColumn({ name: 'interval_seconds', default: 60 }) intervalSeconds!: number;
  /** For `push`: grace period of a late call. */
  @IntegerColumn({ name: 'timeout_seconds', default: 10 }) timeoutSeconds!: number;
  @StringColumn(20, { name: 'status_rule', default: 'eq' }) statusRule!: string;
  @StringColumn(100, { name: 'status_value', default: '200' }) statusValue!: string;
  @StringColumn(20, { name: 'content_rule', default: 'none' }) contentRule!: string;
  @TextColumn({ name: 'content_value', nullable: true }) contentValue!: string | null;
  /** Consecutive failures before a notification. */
  @IntegerColumn({ name: 'fail_threshold', default: 1 }) failThreshold!: number;
  /** Consecutive successes before it counts as up again. */
  @IntegerColumn({ name: 'recovery_threshold', default: 1 }) recoveryThreshold!: number;
  /** Seconds until the next check while it fails; 0 for the normal interval. */
  @IntegerColumn({ name: 'retry_seconds', default: 0 }) retrySeconds!: number;
  /** Repeats the notification after this many further failures; 0 never. */
  @IntegerColumn({ name: 'repeat_every', default: 0 }) repeatEvery!: number;
  /** Inverts success and failure. */
  @FlagColumn({ name: 'upside_down', default: false }) upsideDown!: boolean;
  /** Comma-separated. */
  @StringColumn(250, { default: '' }) tags!: string;
  /** Status page that shows it as {@link statusName}; null for none. */
  @IntegerColumn({ name: 'status_page_id', nullable: true }) statusPageId!: number | null;
  @StringColumn(120, { name: 'status_name', default: '' }) statusName!: string;
  @FlagColumn({ name: 'notify_email', default: true }) notifyByEmail!: boolean;
  @FlagColumn({ default: true }) enabled!: boolean;
  /** SHA-256 of the key in its push address. */
  @StringColumn(64, { name: 'push_hash', nullable: true }) pushHash!: string | null;
  @TimeColumn({ name: 'last_push', nullable: true }) lastPushAt!: Date | null;
  @TimeColumn({ name: 'last_run', nullable: true }) lastRunAt!: Date | null;
  @TimeColumn({ name: 'next_run', nullable: true }) nextRunAt!: Date | null;
  /** Result of the last check: `ok` or `fail`. */
  @StringColumn(20, { name: 'last_status', nullable: true }) lastStatus!: string | null;
  @IntegerColumn({ name: 'last_code', nullable: true }) lastCode!: number | null;
  /** Milliseconds. */
  @IntegerColumn({ name: 'last_ms', nullable: true }) lastMs!: number | null;
  /** JSON of a text, see `packWords`. */
  @TextColumn({ name: 'last_error', nullable: true }) lastError!: string | null;
  @StringColumn(20, { default: 'pending' }) state!: MonitorState;
  @TimeColumn({ name: 'state_since', nullable: true }) stateSince!: Date | null;
  /** Consecutive failures. */
  @IntegerColumn({ name: 'fail_count', default: 0 }) failCount!: number;
  /** Consecutive successes. */
  @IntegerColumn({ name: 'ok_count', default: 0 }) okCount!: number;
  /** Whether the outage was notified and the recovery was not yet. */
  @FlagColumn({ default: false }) told!: boolean;
  @IntegerColumn({ name: 'runs_since_told', default: 0 }) runsSinceTold!: number;
  /** Number of outages since it was last up for a long time. */
  @IntegerColumn({ default: 0 }) flips!: number;
  /** Id of the current claim; no other process may check it before {@link claimedUntil}. */
  @StringColumn(36, { nullable: true }) claim!: string | null;
  @TimeColumn({ name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

import type { SiteBackupFrequency } from './hosting-account.entity.js';
import { HostingNode } from './hosting-node.entity.js';

/**
 * `moving`: its account is being deleted; `kept`; `restoring`: it becomes the site of a new account; `purging`: it is being permanently
 * removed and cannot be restored.
 */
export type BinState = 'moving' | 'kept' | 'restoring' | 'purging';

/**
 * A deleted site that its server keeps, with the properties of its account. The row is created before the server is called, and removed
 * after the files.
 */
@Entity('SVC_bin')
@Unique('UQ_SVC_bin_sqldz', ['siteName'])
@Index('IX_SVC_bin_ssbt', ['nodeCode', 'id'])
@Index('IX_SVC_bin_purge', ['purgeAfter', 'id'])
@Index('IX_SVC_bin_restore', ['restoreTo'])
@Index('IX_SVC_bin_owner', ['ownerId', 'id'])
@Index('IX_SVC_bin_host', ['hostId'])
export class BinnedSite {
  @PrimaryGeneratedColumn() id!: number;
  /** Id of the deleted account. */
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  @StringColumn(64, { name: 'user' }) username!: string;
  /** The login in lower case. */
  @StringColumn(64, { name: 'user_key' }) userKey!: string;
  @StringColumn(64, { name: 'ssbt' }) nodeCode!: string;
  @ManyToOne(() => HostingNode, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'ssbt', referencedColumnName: 'code', foreignKeyConstraintName: 'FK_SVC_bin_ssbt' })
  node?: HostingNode;
  /** Name of the site on the server, by which the server identifies it. */
  @StringColumn(128, { name: 'sqldz' }) siteName!: string;
  /** Id of the site on the server. */
  @StringColumn(64, { name: 'btid', default: '' }) siteId!: string;
  /** Last day of the account; null: never expired. */
  @DayColumn({ name: 'datae', nullable: true }) expiresOn!: string | null;
  /** Days of grace it was sold with; null: the default of the settings. */
  @IntegerColumn({ name: 'kx_own', nullable: true }) ownGraceDays!: number | null;
  /** Days it was to be kept after expiry; null: the default of the settings. */
  @IntegerColumn({ name: 'sc_ts', nullable: true }) keepDays!: number | null;
  /** Pause reasons it had. */
  @JsonColumn({ name: 'pause_reasons' }) pauseReasons!: string[];
  /** Web space in MB, 0 unlimited. */
  @IntegerColumn({ name: 'hxa', default: 0 }) webQuotaMb!: number;
  /** Database space in MB, 0 unlimited. */
  @IntegerColumn({ name: 'hxb', default: 0 }) databaseQuotaMb!: number;
  /** Traffic in GB per month, 0 unlimited. */
  @IntegerColumn({ name: 'llmax', default: 0 }) trafficQuotaGb!: number;
  /** Domains that could be bound, 0 unlimited. */
  @IntegerColumn({ name: 'ymbds', default: 0 }) domainQuota!: number;
  /** Monitors it could have; null: the default of the settings. */
  @IntegerColumn({ name: 'jk_max', nullable: true }) monitorQuota!: number | null;
  /** Backups it could have; null: the default of the settings. */
  @IntegerColumn({ name: 'bf_max', nullable: true }) backupQuota!: number | null;
  /** Backup schedule it had; null: the default of the settings. */
  @StringColumn(10, { name: 'bf_zq', nullable: true }) backupSchedule!: SiteBackupFrequency | null;
  /** As of the last measurement. */
  @BigIntegerColumn({ name: 'web_used', default: 0 }) webUsedBytes!: number;
  @StringColumn(254, { name: 'mailuser', nullable: true }) email!: string | null;
  /** Source that opened the account: `admin`, `api`, the slug of a plugin. */
  @StringColumn(64, { name: 'opened_by' }) openedBy!: string;
  /** Idempotency key the account was opened with. */
  @StringColumn(200, { name: 'request_id', nullable: true }) requestId!: string | null;
  /** Owner among `SVC_plugin_user`; null: none. */
  @IntegerColumn({ name: 'owner_id', nullable: true }) ownerId!: number | null;
  /** When the account was opened. */
  @TimeColumn({ name: 'opened_at' }) openedAt!: Date;
  /** Source that deleted it: `admin`, `api`, `cron`, the slug of a plugin. */
  @StringColumn(64, { name: 'deleted_by' }) deletedBy!: string;
  /** Name of the administrator who deleted it; empty if it was not an administrator. */
  @StringColumn(100, { name: 'deleted_name', default: '' }) deletedName!: string;
  @TimeColumn({ name: 'deleted_at' }) deletedAt!: Date;
  /** When it is permanently removed. */
  @TimeColumn({ name: 'purge_after' }) purgeAfter!: Date;
  @StringColumn(20) state!: BinState;
  /** Id of the account it is restored to. */
  @IntegerColumn({ name: 'restore_to', nullable: true }) restoreTo!: number | null;
  /** Lease of the process that is removing it. */
  @TimeColumn({ name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
}

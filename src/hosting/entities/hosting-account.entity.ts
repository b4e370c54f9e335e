import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingNode } from './hosting-node.entity.js';

/**
 * Life cycle state of an account. `terminating`: a deletion in progress, which resumes after a crash. `failed`: a failed creation whose
 * remains on the server are being removed.
 */
export type AccountState = 'provisioning' | 'active' | 'paused' | 'terminating' | 'failed';

/** Schedule of the automatic backups of a site. */
export type SiteBackupFrequency = 'off' | 'daily' | 'weekly';

/** A site with its quota and login; also the user who signs in on the user side. */
@Entity('SVC_zj')
@Unique('UQ_SVC_zj_user_key', ['userKey'])
@Unique('UQ_SVC_zj_request_key', ['requestKey'])
@Index('IX_SVC_zj_ssbt', ['nodeCode', 'id'])
@Index('IX_SVC_zj_qk', ['state', 'id'])
@Index('IX_SVC_zj_datae', ['expiresOn', 'id'])
@Index('IX_SVC_zj_data', ['createdAt', 'id'])
@Index('IX_SVC_zj_claimed', ['claimedUntil', 'id'])
@Index('IX_SVC_zj_usage_due', ['usageDueAt', 'id'])
@Index('IX_SVC_zj_ll_month', ['trafficMonth', 'id'])
@Index('IX_SVC_zj_sqldz', ['siteName', 'id'])
@Index('IX_SVC_zj_owner', ['ownerId', 'id'])
@Index('IX_SVC_zj_bf_due', ['backupDueAt', 'id'])
export class HostingAccount {
  @PrimaryGeneratedColumn() id!: number;
  /** Control-panel and FTP login, in its original case. */
  @StringColumn(64, { name: 'user' }) username!: string;
  /** The login in lower case: names are unique ignoring case on both engines. */
  @StringColumn(64, { name: 'user_key' }) userKey!: string;
  /** Hash of the password; never leaves the server. */
  @StringColumn(100, { name: 'pass' }) passwordHash!: string;
  @StringColumn(64, { name: 'ssbt' }) nodeCode!: string;
  @ManyToOne(() => HostingNode, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'ssbt', referencedColumnName: 'code', foreignKeyConstraintName: 'FK_SVC_zj_ssbt' })
  node?: HostingNode;
  /** How its server was chosen: `auto` or `auto:{group}`, as requested; null if the server itself was named. */
  @StringColumn(64, { name: 'placed_by', nullable: true }) placedBy!: string | null;
  /** Name of the site on the server, also its folder there. */
  @StringColumn(128, { name: 'sqldz', default: '' }) siteName!: string;
  /** Id of the site on the server. */
  @StringColumn(64, { name: 'btid', default: '' }) siteId!: string;
  /** Last day the account is in service; null: never expires. */
  @DayColumn({ name: 'datae', nullable: true }) expiresOn!: string | null;
  /** Last day on which no job may pause it, set by an administrator; null: no hold. See `Holds`. */
  @DayColumn({ name: 'gq', nullable: true }) holdUntil!: string | null;
  /** Days of grace after {@link expiresOn}, also set on its server. {@link ownGraceDays}, or the default of the installation's settings. */
  @IntegerColumn({ name: 'kx_ts', default: 0 }) graceDays!: number;
  /** Days of grace it was sold with; null: the default of the installation's settings. */
  @IntegerColumn({ name: 'kx_own', nullable: true }) ownGraceDays!: number | null;
  /** Days it is kept after being paused for expiry, 0 for ever; null: the default of the installation's settings. */
  @IntegerColumn({ name: 'sc_ts', nullable: true }) keepDays!: number | null;
  @TimeColumn({ name: 'data' }) createdAt!: Date;
  @StringColumn(20, { name: 'qk' }) state!: AccountState;
  /** Reasons why it is paused. Reasons accumulate; resuming removes only its own. */
  @JsonColumn({ name: 'pause_reasons' }) pauseReasons!: string[];
  /** The web site alone was stopped. Stays stopped when a pause begins and ends. */
  @FlagColumn({ name: 'site_stopped', default: false }) siteStopped!: boolean;
  /** Web space in MB, 0 unlimited. */
  @IntegerColumn({ name: 'hxa', default: 0 }) webQuotaMb!: number;
  /** Database space in MB, 0 unlimited. */
  @IntegerColumn({ name: 'hxb', default: 0 }) databaseQuotaMb!: number;
  /** Traffic in GB per month, 0 unlimited. */
  @IntegerColumn({ name: 'llmax', default: 0 }) trafficQuotaGb!: number;
  /** Domains that may be bound, 0 unlimited. */
  @IntegerColumn({ name: 'ymbds', default: 0 }) domainQuota!: number;
  /** Monitors it may have, 0 none; null: the default of the installation's settings. */
  @IntegerColumn({ name: 'jk_max', nullable: true }) monitorQuota!: number | null;
  /** Backups of its site it may have, 0 none; null: the default of the installation's settings. */
  @IntegerColumn({ name: 'bf_max', nullable: true }) backupQuota!: number | null;
  /** Backup schedule of its site; null: the default of the installation's settings. */
  @StringColumn(10, { name: 'bf_zq', nullable: true }) backupSchedule!: SiteBackupFrequency | null;
  /** When to check next whether a backup is due; null: as soon as possible. The process that advances it makes the backup. */
  @TimeColumn({ name: 'bf_due', nullable: true }) backupDueAt!: Date | null;
  @BigIntegerColumn({ name: 'web_used', default: 0 }) webUsedBytes!: number;
  /** Name of its database account on the server; empty: none; null: not yet queried. */
  @StringColumn(64, { name: 'sqluser', nullable: true }) databaseUser!: string | null;
  @BigIntegerColumn({ name: 'sql_used', default: 0 }) databaseUsedBytes!: number;
  /** Of {@link trafficMonth}. */
  @BigIntegerColumn({ name: 'll_used', default: 0 }) trafficUsedBytes!: number;
  /** Month `YYYY-MM` of the traffic, in the time zone of the installation; empty before any was counted. */
  @StringColumn(7, { name: 'll_month', default: '' }) trafficMonth!: string;
  /** When its usage is measured next; null: never automatically. The process that advances it does the measuring. */
  @TimeColumn({ name: 'usage_due', nullable: true }) usageDueAt!: Date | null;
  /** When its usage was last measured; null: never. */
  @TimeColumn({ name: 'usage_at', nullable: true }) usageMeasuredAt!: Date | null;
  @StringColumn(254, { name: 'mailuser', nullable: true }) email!: string | null;
  /** Source that opened it: `admin`, `api`, the slug of a plugin; `cron` if unknown. Used in the events of its creation. */
  @StringColumn(64, { name: 'opened_by', default: 'cron' }) openedBy!: string;
  /** The idempotency key it was opened with, as given by the caller. */
  @StringColumn(200, { name: 'request_id', nullable: true }) requestId!: string | null;
  /** The idempotency key prefixed by its source, unique among all callers: repeating a key returns the same account. */
  @StringColumn(200, { name: 'request_key', nullable: true }) requestKey!: string | null;
  /** Slow hash of all fields of that request, so that the same key with other fields is rejected. */
  @StringColumn(100, { name: 'request_print', nullable: true }) requestFingerprint!: string | null;
  /** Owner among `SVC_plugin_user`; null: none. */
  @IntegerColumn({ name: 'owner_id', nullable: true }) ownerId!: number | null;
  /** Key of its package, `hosting_shop:7`; null: none. Determines package changes and renewals. */
  @StringColumn(190, { name: 'tc', nullable: true }) packageKey!: string | null;
  /** Holder of the lock on the account; also kept while the outcome of a change is unknown. */
  @StringColumn(32, { name: 'claimed_by', nullable: true }) claimedBy!: string | null;
  /** End of the claim unless renewed. After it has expired, server and row must be compared. */
  @TimeColumn({ name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
}

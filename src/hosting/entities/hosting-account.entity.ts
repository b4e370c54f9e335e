import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, FlagColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingNode } from './hosting-node.entity.js';

/**
 * Where an account is in its life. `terminating` is a deletion under way that a crash must not forget, `failed` a creation
 * that did not work out and whose traces on the server are being removed.
 */
export type AccountState = 'provisioning' | 'active' | 'paused' | 'terminating' | 'failed';

/** How often a site is backed up by itself. */
export type BackupSchedule = 'off' | 'daily' | 'weekly';

/** A site with its quota and login: also the person who signs in on the user side. */
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
  /** Control-panel and FTP login, as it was given. */
  @StringColumn(64, { name: 'user' }) username!: string;
  /** The login in lower case: names are unique ignoring case on both engines. */
  @StringColumn(64, { name: 'user_key' }) userKey!: string;
  /** Hash of the password; never leaves the server. */
  @StringColumn(100, { name: 'pass' }) passwordHash!: string;
  @StringColumn(64, { name: 'ssbt' }) nodeCode!: string;
  @ManyToOne(() => HostingNode, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'ssbt', referencedColumnName: 'code', foreignKeyConstraintName: 'FK_SVC_zj_ssbt' })
  node?: HostingNode;
  /** What chose its server: `auto` or `auto:{group}`, as whoever opened it asked; null where the server itself was named. */
  @StringColumn(64, { name: 'placed_by', nullable: true }) placedBy!: string | null;
  /** Name of the site on the server, also its folder there. */
  @StringColumn(128, { name: 'sqldz', default: '' }) siteName!: string;
  /** Id of the site on the server. */
  @StringColumn(64, { name: 'btid', default: '' }) siteId!: string;
  /** Last day the account runs; null never expires. */
  @DayColumn({ name: 'datae', nullable: true }) expiresOn!: string | null;
  /** Last day on which no job pauses it, an administrator's word; null: none. See `Holds`. */
  @DayColumn({ name: 'gq', nullable: true }) holdUntil!: string | null;
  /**
   * Days it goes on after {@link expiresOn}; its server was told so. {@link ownGraceDays}, or what the settings of the installation say.
   */
  @IntegerColumn({ name: 'kx_ts', default: 0 }) graceDays!: number;
  /** Days of grace it was sold with; null: as many as the settings of the installation say. */
  @IntegerColumn({ name: 'kx_own', nullable: true }) ownGraceDays!: number | null;
  /** Days it is kept once it was paused because its time was over, 0 for ever; null: as many as the settings of the installation say. */
  @IntegerColumn({ name: 'sc_ts', nullable: true }) keepDays!: number | null;
  @TimeColumn({ name: 'data' }) createdAt!: Date;
  @StringColumn(20, { name: 'qk' }) state!: AccountState;
  /** Why it is paused: reasons stack, resuming clears only its own. */
  @JsonColumn({ name: 'pause_reasons' }) pauseReasons!: string[];
  /** The web site was stopped by itself; it stays so over a pause, whose end brings back what was before. */
  @FlagColumn({ name: 'site_stopped', default: false }) siteStopped!: boolean;
  /** Web space in MB, 0 unlimited. */
  @IntegerColumn({ name: 'hxa', default: 0 }) webQuotaMb!: number;
  /** Database space in MB, 0 unlimited. */
  @IntegerColumn({ name: 'hxb', default: 0 }) databaseQuotaMb!: number;
  /** Traffic in GB per month, 0 unlimited. */
  @IntegerColumn({ name: 'llmax', default: 0 }) trafficQuotaGb!: number;
  /** Domains that may be bound, 0 unlimited. */
  @IntegerColumn({ name: 'ymbds', default: 0 }) domainQuota!: number;
  /** Monitors it may have, 0 none; null: as many as the settings of the installation say. */
  @IntegerColumn({ name: 'jk_max', nullable: true }) monitorQuota!: number | null;
  /** Backups of its site it may have, 0 none; null: as many as the settings of the installation say. */
  @IntegerColumn({ name: 'bf_max', nullable: true }) backupQuota!: number | null;
  /** How often its site is backed up; null: as often as the settings of the installation say. */
  @StringColumn(10, { name: 'bf_zq', nullable: true }) backupSchedule!: BackupSchedule | null;
  /** When it is looked at next whether a backup is to be made; null: as soon as possible. Whoever moves it on has that to do. */
  @TimeColumn({ name: 'bf_due', nullable: true }) backupDueAt!: Date | null;
  @BigIntegerColumn({ name: 'web_used', default: 0 }) webUsedBytes!: number;
  /** What its server calls the account of its database; empty: it has none; null until the server was asked. */
  @StringColumn(64, { name: 'sqluser', nullable: true }) databaseUser!: string | null;
  @BigIntegerColumn({ name: 'sql_used', default: 0 }) databaseUsedBytes!: number;
  /** Of {@link trafficMonth}. */
  @BigIntegerColumn({ name: 'll_used', default: 0 }) trafficUsedBytes!: number;
  /** Month `YYYY-MM` the traffic is of, in the zone of the installation; empty before any was counted. */
  @StringColumn(7, { name: 'll_month', default: '' }) trafficMonth!: string;
  /** When its use is measured next, null never by itself. Whoever moves it on has the measuring to do. */
  @TimeColumn({ name: 'usage_due', nullable: true }) usageDueAt!: Date | null;
  /** When its use was measured last; null before. */
  @TimeColumn({ name: 'usage_at', nullable: true }) usageMeasuredAt!: Date | null;
  @StringColumn(254, { name: 'mailuser', nullable: true }) email!: string | null;
  /** Who opened it: `admin`, `api`, the slug of a plugin; `cron` where that was never written down. The events of its creation say so. */
  @StringColumn(64, { name: 'opened_by', default: 'cron' }) openedBy!: string;
  /** The idempotency key it was opened with, as its caller gave it. */
  @StringColumn(200, { name: 'request_id', nullable: true }) requestId!: string | null;
  /** The same once more, unique among all callers: the same key twice is the same account. */
  @StringColumn(200, { name: 'request_key', nullable: true }) requestKey!: string | null;
  /** Slow hash of everything that request asked for, where the same key with other fields is to be refused. */
  @StringColumn(100, { name: 'request_print', nullable: true }) requestFingerprint!: string | null;
  /** Owner among `SVC_plugin_user`, if there is one. */
  @IntegerColumn({ name: 'owner_id', nullable: true }) ownerId!: number | null;
  /** Key of the package it is of, `hosting_shop:7`; null: it is of none. Changes of package and renewals go by it. */
  @StringColumn(190, { name: 'tc', nullable: true }) packageKey!: string | null;
  /** Whoever changes the account right now; also kept while the outcome of a change is not known. */
  @StringColumn(32, { name: 'claimed_by', nullable: true }) claimedBy!: string | null;
  /** End of the claim unless it is prolonged; one that has run out means that server and row must be compared. */
  @TimeColumn({ name: 'claimed_until', nullable: true }) claimedUntil!: Date | null;
}

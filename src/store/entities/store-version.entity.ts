import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { StoreItem } from './store-item.entity.js';

/** `superseded`: replaced by another submission before a decision; `withdrawn`: taken back by its author after publication. */
export type VersionStatus = 'pending' | 'approved' | 'rejected' | 'superseded' | 'withdrawn';

/** One package of an item. */
@Entity('SVC_store_version')
@Unique('UQ_SVC_store_version', ['itemId', 'versionKey'])
@Index('IX_SVC_store_version_status', ['status', 'id'])
@Index('IX_SVC_store_version_item', ['itemId', 'status', 'id'])
@Index('IX_SVC_store_version_decided', ['status', 'decidedAt', 'id'])
@Index('IX_SVC_store_version_sha256', ['sha256', 'zipSize'])
export class StoreVersion {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_version_item' })
  item?: StoreItem;
  @StringColumn(32) version!: string;
  /** Lower case: a version string can be used only once, ignoring case. */
  @StringColumn(32, { name: 'version_key' }) versionKey!: string;
  /** `beta`: only for clients that request it; the item's own version and package stay the stable ones. */
  @StringColumn(10, { default: 'stable' }) channel!: 'stable' | 'beta';
  @StringColumn(64) sha256!: string;
  /** In bytes. */
  @IntegerColumn({ name: 'zip_size' }) zipSize!: number;
  @TextColumn() changelog!: string;
  @StringColumn(10, { default: 'pending' }) status!: VersionStatus;
  @StringColumn(2000, { name: 'review_msg', default: '' }) reviewMessage!: string;
  /** The package's manifest, if it could be read. */
  @JsonColumn({ nullable: true }) manifest!: Record<string, unknown> | null;
  /** Compatible panel versions, the semver range of the manifest; empty for any. */
  @StringColumn(100, { name: 'requires_svc', default: '' }) requiresPanel!: string;
  /** Ed25519 signature of an approved version, base64. Source: docs/store-packages.md "Signature". */
  @StringColumn(100, { default: '' }) signature!: string;
  @StringColumn(64, { name: 'key_id', default: '' }) keyId!: string;
  @TimeColumn({ name: 'signed_at', nullable: true }) signedAt!: Date | null;
  /** Ids of the author's keys up to the one that signed it (the last), separated by spaces; empty: unsigned. */
  @StringColumn(400, { name: 'author_keys', default: '' }) authorKeys!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'decided_at', nullable: true }) decidedAt!: Date | null;
  @IntegerColumn({ name: 'decided_by', nullable: true }) decidedBy!: number | null;
  /** Administrator reviewing it, and since when. */
  @IntegerColumn({ name: 'claimed_by', nullable: true }) claimedBy!: number | null;
  @TimeColumn({ name: 'claimed_at', nullable: true }) claimedAt!: Date | null;
  /** Whether a trusted author's version was selected for review instead of being published immediately. */
  @FlagColumn({ name: 'spot_check', default: false }) spotCheck!: boolean;
  @TimeColumn({ name: 'withdrawn_at', nullable: true }) withdrawnAt!: Date | null;
  /** The author's message to users of the version. */
  @StringColumn(500, { name: 'withdrawn_reason', default: '' }) withdrawnReason!: string;
}

/** A finding of the automatic check; shown to author and reviewer, never decisive by itself. */
@Entity('SVC_store_finding')
@Index('IX_SVC_store_finding_version', ['versionId', 'id'])
export class StoreFinding {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'version_id' }) versionId!: number;
  @ManyToOne(() => StoreVersion, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'FK_SVC_store_finding_version' })
  version?: StoreVersion;
  @StringColumn(60) rule!: string;
  @StringColumn(10) severity!: 'info' | 'warning' | 'danger';
  @StringColumn(500, { default: '' }) file!: string;
  @IntegerColumn({ nullable: true }) line!: number | null;
  @StringColumn(500, { default: '' }) excerpt!: string;
  /** Text key and its parameters. */
  @JsonColumn() text!: { key: string; params: Record<string, string | number> };
}

/** Digest of a file in a version, for matching blocked files; an empty path means the whole package. */
@Entity('SVC_store_version_file')
@Index('IX_SVC_store_version_file_version', ['versionId', 'id'])
export class StoreVersionFile {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'version_id' }) versionId!: number;
  @ManyToOne(() => StoreVersion, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'FK_SVC_store_version_file_version' })
  version?: StoreVersion;
  /** Relative to the root folder. */
  @StringColumn(500) path!: string;
  @StringColumn(64) sha256!: string;
}

/**
 * Records that an administrator was warned about a blocked file or a grave finding before approving a version, so that the warning is shown
 * once.
 */
@Entity('SVC_store_blocked_notice')
@Unique('UQ_SVC_store_blocked_notice', ['versionId', 'userId', 'sha256'])
export class StoreBlockedNotice {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'version_id' }) versionId!: number;
  @ManyToOne(() => StoreVersion, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'FK_SVC_store_blocked_notice_version' })
  version?: StoreVersion;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  /** Digest of the file, or of the finding's rule name. */
  @StringColumn(64) sha256!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** A change of an item's data, pending or decided. */
@Entity('SVC_store_edit_request')
@Index('IX_SVC_store_edit_request_status', ['status', 'id'])
@Index('IX_SVC_store_edit_request_item', ['itemId', 'field', 'status'])
export class StoreEditRequest {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_edit_request_item' })
  item?: StoreItem;
  @StringColumn(20) field!: string;
  @TextColumn({ name: 'old_value' }) oldValue!: string;
  @TextColumn({ name: 'new_value' }) newValue!: string;
  @StringColumn(12, { default: 'pending' }) status!: 'pending' | 'approved' | 'rejected' | 'superseded';
  @StringColumn(2000, { name: 'review_msg', default: '' }) reviewMessage!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'decided_at', nullable: true }) decidedAt!: Date | null;
  @IntegerColumn({ name: 'decided_by', nullable: true }) decidedBy!: number | null;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { StoreItem } from './store-item.entity.js';

/** `superseded`: the author sent another one before anybody decided; `withdrawn`: it was published, and its author took it back. */
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
  /** In lower case: a version string is used once, whatever its case. */
  @StringColumn(32, { name: 'version_key' }) versionKey!: string;
  /** `beta`: for who asks for it; the item's own version and package stay the stable one. */
  @StringColumn(10, { default: 'stable' }) channel!: 'stable' | 'beta';
  @StringColumn(64) sha256!: string;
  /** Bytes. */
  @IntegerColumn({ name: 'zip_size' }) zipSize!: number;
  @TextColumn() changelog!: string;
  @StringColumn(10, { default: 'pending' }) status!: VersionStatus;
  @StringColumn(2000, { name: 'review_msg', default: '' }) reviewMessage!: string;
  /** What the package's own manifest says, if it could be read. */
  @JsonColumn({ nullable: true }) manifest!: Record<string, unknown> | null;
  /** Panels it runs on, a semver range as its manifest says; empty for any. */
  @StringColumn(100, { name: 'requires_svc', default: '' }) requiresPanel!: string;
  /** Ed25519, base64; of approved versions. Source: docs/store-packages.md "Signature". */
  @StringColumn(100, { default: '' }) signature!: string;
  @StringColumn(64, { name: 'key_id', default: '' }) keyId!: string;
  @TimeColumn({ name: 'signed_at', nullable: true }) signedAt!: Date | null;
  /** Ids of the keys of its author that lead to the one it was signed with, the last, with spaces between them; empty: nobody signed it. */
  @StringColumn(400, { name: 'author_keys', default: '' }) authorKeys!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'decided_at', nullable: true }) decidedAt!: Date | null;
  @IntegerColumn({ name: 'decided_by', nullable: true }) decidedBy!: number | null;
  /** Which administrator looks at it, since when. */
  @IntegerColumn({ name: 'claimed_by', nullable: true }) claimedBy!: number | null;
  @TimeColumn({ name: 'claimed_at', nullable: true }) claimedAt!: Date | null;
  /** Whether it would have been published at once, its author being trusted, but for the share that is looked at. */
  @FlagColumn({ name: 'spot_check', default: false }) spotCheck!: boolean;
  @TimeColumn({ name: 'withdrawn_at', nullable: true }) withdrawnAt!: Date | null;
  /** What its author said to those who have it. */
  @StringColumn(500, { name: 'withdrawn_reason', default: '' }) withdrawnReason!: string;
}

/** Something a machine noticed about a version: shown to author and reviewer, never deciding. */
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
  /** Key of the text and its values. */
  @JsonColumn() text!: { key: string; params: Record<string, string | number> };
}

/** A file of a version, by which it is looked for among the blocked ones; an empty path stands for the whole package. */
@Entity('SVC_store_version_file')
@Index('IX_SVC_store_version_file_version', ['versionId', 'id'])
export class StoreVersionFile {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'version_id' }) versionId!: number;
  @ManyToOne(() => StoreVersion, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'FK_SVC_store_version_file_version' })
  version?: StoreVersion;
  /** Below the root folder. */
  @StringColumn(500) path!: string;
  @StringColumn(64) sha256!: string;
}

/**
 * That an administrator who wanted to publish a version was told of a blocked file or a grave finding in it: nobody
 * is told of the same one twice.
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
  /** Of the file, or of the name of the finding's rule. */
  @StringColumn(64) sha256!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** A change of an item's data that waits for a decision, or had one. */
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

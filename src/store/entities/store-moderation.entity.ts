import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { DayColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { StoreItem } from './store-item.entity.js';

/**
 * Audit log entry. Administrators' decisions are never deleted, own actions of accounts after 400 days. Updated only to count further
 * failed sign-ins within an hour.
 */
@Entity('SVC_store_audit')
@Index('IX_SVC_store_audit_subject', ['subject', 'subjectId', 'id'])
export class StoreAudit {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'actor_id' }) actorId!: number;
  /** User name at that time. */
  @StringColumn(30, { name: 'actor_name' }) actorName!: string;
  /** For example `item.approve`. */
  @StringColumn(40) action!: string;
  /** Type of the subject, such as `item`. */
  @StringColumn(20) subject!: string;
  @IntegerColumn({ name: 'subject_id' }) subjectId!: number;
  @JsonColumn() detail!: Record<string, unknown>;
  @StringColumn(64) ip!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** A user's report of an item. */
@Entity('SVC_store_report')
@Index('IX_SVC_store_report_status', ['status', 'id'])
@Index('IX_SVC_store_report_item', ['itemId', 'id'])
export class StoreReport {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_report_item' })
  item?: StoreItem;
  /** One of the reasons in docs/store-api.md "Reports". */
  @StringColumn(20) reason!: string;
  /** The reported rating; null: the item itself. */
  @IntegerColumn({ name: 'rating_id', nullable: true }) ratingId!: number | null;
  @StringColumn(2000, { default: '' }) text!: string;
  @IntegerColumn({ name: 'reporter_id', nullable: true }) reporterId!: number | null;
  @StringColumn(64) ip!: string;
  @StringColumn(10, { default: 'open' }) status!: 'open' | 'closed';
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'closed_at', nullable: true }) closedAt!: Date | null;
}

/** SHA-256 of a file that no package may contain. */
@Entity('SVC_store_blocked_digest')
@Unique('UQ_SVC_store_blocked_digest', ['sha256'])
export class StoreBlockedDigest {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) sha256!: string;
  @StringColumn(255, { default: '' }) reason!: string;
  @IntegerColumn({ name: 'created_by' }) createdBy!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** An uploaded picture. */
@Entity('SVC_store_image')
@Unique('UQ_SVC_store_image_name', ['name'])
@Index('IX_SVC_store_image_user', ['userId', 'id'])
@Index('IX_SVC_store_image_created', ['createdAt', 'size'])
export class StoreImage {
  @PrimaryGeneratedColumn() id!: number;
  /** File name under `/uploads/images/`. */
  @StringColumn(60) name!: string;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  /** In bytes. */
  @IntegerColumn() size!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** Uploads rejected by a rule on a UTC day; kept for 90 days. */
@Entity('SVC_store_refusal_day')
@Unique('UQ_SVC_store_refusal_day', ['day', 'rule'])
export class StoreRefusalDay {
  @PrimaryGeneratedColumn() id!: number;
  @DayColumn() day!: string;
  /** Text key of the rejection, such as `packages.path_traversal`. */
  @StringColumn(60) rule!: string;
  @IntegerColumn({ default: 0 }) refusals!: number;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { DayColumn, IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { StoreItem } from './store-item.entity.js';

/**
 * Something an administrator decided, which is never deleted, or an account did for itself, which is for 400 days; changed only to count
 * further failed sign-ins of an hour.
 */
@Entity('SVC_store_audit')
@Index('IX_SVC_store_audit_subject', ['subject', 'subjectId', 'id'])
export class StoreAudit {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'actor_id' }) actorId!: number;
  /** As it was then. */
  @StringColumn(30, { name: 'actor_name' }) actorName!: string;
  /** Such as `item.approve`. */
  @StringColumn(40) action!: string;
  /** Kind of thing it was done to, such as `item`. */
  @StringColumn(20) subject!: string;
  @IntegerColumn({ name: 'subject_id' }) subjectId!: number;
  @JsonColumn() detail!: Record<string, unknown>;
  @StringColumn(64) ip!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** Somebody's report of an item. */
@Entity('SVC_store_report')
@Index('IX_SVC_store_report_status', ['status', 'id'])
@Index('IX_SVC_store_report_item', ['itemId', 'id'])
export class StoreReport {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_report_item' })
  item?: StoreItem;
  /** One of the reasons of docs/store-api.md "Reports". */
  @StringColumn(20) reason!: string;
  /** The rating it is about; null: the item itself. */
  @IntegerColumn({ name: 'rating_id', nullable: true }) ratingId!: number | null;
  @StringColumn(2000, { default: '' }) text!: string;
  @IntegerColumn({ name: 'reporter_id', nullable: true }) reporterId!: number | null;
  @StringColumn(64) ip!: string;
  @StringColumn(10, { default: 'open' }) status!: 'open' | 'closed';
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'closed_at', nullable: true }) closedAt!: Date | null;
}

/** A file no package should contain, by its SHA-256. */
@Entity('SVC_store_blocked_digest')
@Unique('UQ_SVC_store_blocked_digest', ['sha256'])
export class StoreBlockedDigest {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64) sha256!: string;
  @StringColumn(255, { default: '' }) reason!: string;
  @IntegerColumn({ name: 'created_by' }) createdBy!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** A picture somebody uploaded. */
@Entity('SVC_store_image')
@Unique('UQ_SVC_store_image_name', ['name'])
@Index('IX_SVC_store_image_user', ['userId', 'id'])
@Index('IX_SVC_store_image_created', ['createdAt', 'size'])
export class StoreImage {
  @PrimaryGeneratedColumn() id!: number;
  /** File name under `/uploads/images/`. */
  @StringColumn(60) name!: string;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  /** Bytes. */
  @IntegerColumn() size!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** How many uploads a rule refused on a day, UTC; kept for 90 days. */
@Entity('SVC_store_refusal_day')
@Unique('UQ_SVC_store_refusal_day', ['day', 'rule'])
export class StoreRefusalDay {
  @PrimaryGeneratedColumn() id!: number;
  @DayColumn() day!: string;
  /** Key of the text that was answered, such as `packages.path_traversal`. */
  @StringColumn(60) rule!: string;
  @IntegerColumn({ default: 0 }) refusals!: number;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { StoreUser } from './store-user.entity.js';

/** Type of a published item. */
export type ItemType = 'plugin' | 'theme';
/** Life-cycle state of an item; see docs/store-api.md "Review". */
export type ItemStatus = 'pending' | 'approved' | 'rejected' | 'suspended';

/** A plugin or theme. Its package fields are those of the approved version, or of the first version while none is approved. */
@Entity('SVC_store_item')
@Unique('UQ_SVC_store_item_slug', ['type', 'slugKey'])
@Index('IX_SVC_store_item_newest', ['status', 'createdAt', 'id'])
@Index('IX_SVC_store_item_type', ['status', 'type', 'createdAt', 'id'])
@Index('IX_SVC_store_item_category', ['status', 'category', 'createdAt', 'id'])
@Index('IX_SVC_store_item_downloads', ['status', 'downloads', 'id'])
@Index('IX_SVC_store_item_price', ['status', 'price', 'id'])
@Index('IX_SVC_store_item_updated', ['updatedAt', 'id'])
@Index('IX_SVC_store_item_published', ['status', 'updatedAt', 'id'])
@Index('IX_SVC_store_item_status', ['status', 'id'])
@Index('IX_SVC_store_item_kind', ['type', 'id'])
@Index('IX_SVC_store_item_kind_status', ['type', 'status', 'id'])
@Index('IX_SVC_store_item_author', ['authorId', 'id'])
export class StoreItem {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) type!: ItemType;
  @StringColumn(63) slug!: string;
  /** Lower case: slugs are unique ignoring case on both engines. */
  @StringColumn(63, { name: 'slug_key' }) slugKey!: string;
  @StringColumn(100) name!: string;
  @StringColumn(32) version!: string;
  @IntegerColumn({ name: 'author_id' }) authorId!: number;
  @ManyToOne(() => StoreUser, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'author_id', foreignKeyConstraintName: 'FK_SVC_store_item_author' })
  author?: StoreUser;
  @StringColumn(30, { name: 'author_name' }) authorName!: string;
  /** In fen; the API uses yuan. */
  @FenColumn({ default: 0 }) price!: number;
  /** Sanitized HTML. */
  @TextColumn() description!: string;
  @StringColumn(500, { name: 'main_image', default: '' }) mainImage!: string;
  @JsonColumn() screenshots!: string[];
  /** SHA-256 of the package, also its storage key. */
  @StringColumn(64) sha256!: string;
  /** In bytes. */
  @IntegerColumn({ name: 'zip_size' }) zipSize!: number;
  @IntegerColumn({ default: 0 }) downloads!: number;
  /** Visible ratings, and the sum of their stars. */
  @IntegerColumn({ name: 'rating_count', default: 0 }) ratingCount!: number;
  @IntegerColumn({ name: 'rating_sum', default: 0 }) ratingSum!: number;
  @StringColumn(10, { default: 'pending' }) status!: ItemStatus;
  /** The reviewer's last note to the author. */
  @StringColumn(2000, { name: 'review_msg', default: '' }) reviewMessage!: string;
  @StringColumn(50, { name: 'requires_svc', default: '' }) requiresPanel!: string;
  @StringColumn(40, { default: '' }) category!: string;
  @JsonColumn() tags!: string[];
  @StringColumn(500, { default: '' }) homepage!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

/**
 * Data that outlives an item: the owner of its slug, its used version strings, and when its packages became unavailable. A deleted item's
 * slug can be reused only by its author, a version string never.
 */
@Entity('SVC_store_slug_history')
@Unique('UQ_SVC_store_slug_history', ['type', 'slugKey'])
export class StoreSlugHistory {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(10) type!: ItemType;
  @StringColumn(63, { name: 'slug_key' }) slugKey!: string;
  @IntegerColumn({ name: 'author_id' }) authorId!: number;
  @TextColumn() versions!: string;
  /** When the published item became unavailable (suspended or deleted); null while available or never published. */
  @TimeColumn({ name: 'closed_at', nullable: true }) closedAt!: Date | null;
  /** The administrator's reason. */
  @StringColumn(2000, { name: 'closed_reason', default: '' }) closedReason!: string;
}

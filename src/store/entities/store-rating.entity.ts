import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { StoreItem } from './store-item.entity.js';
import { StoreUser } from './store-user.entity.js';
import { StoreVersion } from './store-version.entity.js';

/** Rating of a version by an account; one per version and account. */
@Entity('SVC_store_rating')
@Unique('UQ_SVC_store_rating_version', ['versionId', 'userId'])
@Index('IX_SVC_store_rating_item', ['itemId', 'status', 'id'])
@Index('IX_SVC_store_rating_user', ['userId', 'id'])
export class StoreRating {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_rating_item' })
  item?: StoreItem;
  @IntegerColumn({ name: 'version_id' }) versionId!: number;
  @ManyToOne(() => StoreVersion, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'version_id', foreignKeyConstraintName: 'FK_SVC_store_rating_version' })
  version?: StoreVersion;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  @ManyToOne(() => StoreUser, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_SVC_store_rating_user' })
  user?: StoreUser;
  /** 1 to 5. */
  @IntegerColumn() stars!: number;
  @TextColumn() text!: string;
  /** `hidden`: hidden by an administrator and excluded from the average. */
  @StringColumn(10, { default: 'shown' }) status!: 'shown' | 'hidden';
  /** The author's answer; empty for none. */
  @StringColumn(2000, { default: '' }) reply!: string;
  @TimeColumn({ name: 'replied_at', nullable: true }) repliedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'updated_at' }) updatedAt!: Date;
}

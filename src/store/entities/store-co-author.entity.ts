import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, TimeColumn } from '../../database/index.js';

import { StoreItem } from './store-item.entity.js';
import { StoreUser } from './store-user.entity.js';

/** A co-author of an item, or an invited one. */
@Entity('SVC_store_co_author')
@Unique('UQ_SVC_store_co_author', ['itemId', 'userId'])
@Index('IX_SVC_store_co_author_user', ['userId', 'itemId'])
export class StoreCoAuthor {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_co_author_item' })
  item?: StoreItem;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  @ManyToOne(() => StoreUser, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_SVC_store_co_author_user' })
  user?: StoreUser;
  /** When the invitation was accepted; null: pending, without any rights. */
  @TimeColumn({ name: 'accepted_at', nullable: true }) acceptedAt!: Date | null;
  /** When the author offered to transfer the item; null: no offer. */
  @TimeColumn({ name: 'offered_at', nullable: true }) offeredAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { StoreItem } from './store-item.entity.js';

/** One full download. */
@Entity('SVC_store_download')
@Index('IX_SVC_store_download_item', ['itemId', 'id'])
@Index('IX_SVC_store_download_created', ['createdAt'])
export class StoreDownload {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_download_item' })
  item?: StoreItem;
  @StringColumn(32) version!: string;
  /** Signed-in user; null for anonymous downloads. */
  @IntegerColumn({ name: 'user_id', nullable: true }) userId!: number | null;
  @StringColumn(64) ip!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

/** Downloads of a version on a day, UTC. */
@Entity('SVC_store_download_day')
@Unique('UQ_SVC_store_download_day', ['itemId', 'version', 'day'])
@Index('IX_SVC_store_download_day_day', ['day'])
export class StoreDownloadDay {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_download_day_item' })
  item?: StoreItem;
  @StringColumn(32) version!: string;
  @DayColumn() day!: string;
  @BigIntegerColumn({ default: 0 }) downloads!: number;
  /** Visitors who had not downloaded the item before on that day. */
  @BigIntegerColumn({ default: 0 }) visitors!: number;
}

/** Hash of a visitor who downloaded an item on a day; deleted once the day is over, so that no addresses are kept. */
@Entity('SVC_store_visitor_day')
@Unique('UQ_SVC_store_visitor_day', ['itemId', 'day', 'visitorHash'])
@Index('IX_SVC_store_visitor_day_day', ['day'])
export class StoreVisitorDay {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'item_id' }) itemId!: number;
  @ManyToOne(() => StoreItem, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'item_id', foreignKeyConstraintName: 'FK_SVC_store_visitor_day_item' })
  item?: StoreItem;
  @DayColumn() day!: string;
  /** SHA-256 of the user or address. */
  @StringColumn(64, { name: 'visitor_hash' }) visitorHash!: string;
}

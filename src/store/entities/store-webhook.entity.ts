import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { StoreUser } from './store-user.entity.js';

/** Webhook of an author, which is told of decisions about his items. */
@Entity('SVC_store_webhook')
@Index('IX_SVC_store_webhook_user', ['userId', 'id'])
export class StoreWebhook {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  @ManyToOne(() => StoreUser, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_SVC_store_webhook_user' })
  user?: StoreUser;
  @StringColumn(500) url!: string;
  /** What messages are signed with, sealed with the key of the installation. */
  @TextColumn() secret!: string;
  /** What the last try came to: the status it was answered with, 0 for none; null before the first. */
  @IntegerColumn({ name: 'last_code', nullable: true }) lastCode!: number | null;
  @TimeColumn({ name: 'last_at', nullable: true }) lastAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

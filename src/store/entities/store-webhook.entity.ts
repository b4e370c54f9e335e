import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { StoreUser } from './store-user.entity.js';

/** Webhook of an author, notified of decisions about their items. */
@Entity('SVC_store_webhook')
@Index('IX_SVC_store_webhook_user', ['userId', 'id'])
export class StoreWebhook {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  @ManyToOne(() => StoreUser, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_SVC_store_webhook_user' })
  user?: StoreUser;
  @StringColumn(500) url!: string;
  /** Secret that signs the messages, encrypted with the installation's key. */
  @TextColumn() secret!: string;
  /** HTTP status of the last attempt, 0 for no response; null before the first. */
  @IntegerColumn({ name: 'last_code', nullable: true }) lastCode!: number | null;
  @TimeColumn({ name: 'last_at', nullable: true }) lastAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { StoreUser } from './store-user.entity.js';

/** A session of the store. The cookie holds a random token, the row its SHA-256. */
@Entity('SVC_store_session')
@Unique('UQ_SVC_store_session_token_hash', ['tokenHash'])
@Index('IX_SVC_store_session_user', ['userId', 'id'])
@Index('IX_SVC_store_session_expires', ['expiresAt'])
export class StoreSession {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  @ManyToOne(() => StoreUser, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_SVC_store_session_user' })
  user?: StoreUser;
  @StringColumn(64, { default: '' }) ip!: string;
  @StringColumn(255, { name: 'user_agent', default: '' }) userAgent!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'seen_at' }) seenAt!: Date;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
}

/** Scope of an API token. */
export type TokenScope = 'read' | 'publish';

/** An API token, for example of a build that publishes; only its hash is stored. */
@Entity('SVC_store_token')
@Unique('UQ_SVC_store_token_token_hash', ['tokenHash'])
@Index('IX_SVC_store_token_user', ['userId', 'id'])
export class StoreToken {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'user_id' }) userId!: number;
  @ManyToOne(() => StoreUser, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_SVC_store_token_user' })
  user?: StoreUser;
  @StringColumn(60) name!: string;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  @JsonColumn() scopes!: TokenScope[];
  /** The only item the token is valid for; null: all of its account. */
  @IntegerColumn({ name: 'item_id', nullable: true }) itemId!: number | null;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
  @TimeColumn({ name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

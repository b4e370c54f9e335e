import { Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

/** A session. The cookie contains a random token, the row its SHA-256, so a stolen table grants no access. */
@Entity('SVC_session')
@Unique('UQ_SVC_session_token_hash', ['tokenHash'])
@Index('IX_SVC_session_subject', ['scope', 'subjectId', 'id'])
@Index('IX_SVC_session_expires', ['expiresAt'])
export class Session {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'token_hash' }) tokenHash!: string;
  @StringColumn(10) scope!: 'admin' | 'user' | 'customer';
  /** `SVC_admin.id`, `SVC_zj.id` or `SVC_plugin_user.id`. */
  @IntegerColumn({ name: 'subject_id' }) subjectId!: number;
  @StringColumn(64, { default: '' }) ip!: string;
  @StringColumn(255, { name: 'user_agent', default: '' }) userAgent!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'seen_at' }) seenAt!: Date;
  @TimeColumn({ name: 'expires_at' }) expiresAt!: Date;
  /** When a second factor code was last verified in it; null if never. */
  @TimeColumn({ name: 'proven_at', nullable: true }) provenAt!: Date | null;
}

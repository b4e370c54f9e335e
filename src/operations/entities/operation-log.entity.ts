import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';
import type { AuditText } from '../audit-log.js';

/** Who did what: one line for every state-changing operation. */
@Entity('SVC_log')
@Index('IX_SVC_log_actor', ['actor', 'id'])
@Index('IX_SVC_log_category', ['category', 'id'])
@Index('IX_SVC_log_date', ['createdAt'])
export class OperationLog {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'czuser' }) actor!: string;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
  @StringColumn(64, { name: 'lx' }) category!: string;
  @StringColumn(255, { name: 'lr' }) summary!: string;
  @StringColumn(64, { default: '' }) ip!: string;
  /** What came of it. */
  @TextColumn({ name: 'qk', nullable: true }) outcome!: string | null;
  /** Key and values of {@link summary}, so that it can be told in the reader's language; null for what came as a text. */
  @JsonColumn({ name: 'text_parts', nullable: true }) text!: AuditText | null;
}

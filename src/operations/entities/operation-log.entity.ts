import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';
import type { LoggedChange } from '../../common/index.js';
import type { AuditText } from '../audit-log.js';

/** The operation log: one line for every operation that changes state. */
@Entity('SVC_log')
@Index('IX_SVC_log_actor', ['actor', 'id'])
@Index('IX_SVC_log_category', ['category', 'id'])
@Index('IX_SVC_log_date', ['createdAt'])
@Index('IX_SVC_log_account', ['side', 'accountId', 'id'])
@Index('IX_SVC_log_subject', ['subject', 'id'])
@Index('IX_SVC_log_source', ['source', 'createdAt'])
export class OperationLog {
  @PrimaryGeneratedColumn() id!: number;
  @StringColumn(64, { name: 'czuser' }) actor!: string;
  @TimeColumn({ name: 'date' }) createdAt!: Date;
  @StringColumn(64, { name: 'lx' }) category!: string;
  @StringColumn(255, { name: 'lr' }) summary!: string;
  @StringColumn(64, { default: '' }) ip!: string;
  /** Entry point of a request from outside: `login`, `api.php` or the slug of a gateway; null for actions of accounts and of the panel. */
  @StringColumn(64, { nullable: true }) source!: string | null;
  /** Slug of the plugin that acted; null for actions of the panel. */
  @StringColumn(64, { nullable: true }) plugin!: string | null;
  /** Outcome. */
  @TextColumn({ name: 'qk', nullable: true }) outcome!: string | null;
  /** Side of the account concerned; null for none. */
  @StringColumn(10, { nullable: true }) side!: 'admin' | 'user' | null;
  /** `SVC_admin.id` or `SVC_zj.id`: names can be reused, ids cannot. */
  @IntegerColumn({ name: 'account_id', nullable: true }) accountId!: number | null;
  /** Id of the request, as in the process log. */
  @StringColumn(40, { nullable: true }) rid!: string | null;
  /** Key and values of {@link summary}, for display in the reader's language; null for plain text. */
  @JsonColumn({ name: 'text_parts', nullable: true }) text!: AuditText | null;
  /** The changed object, such as `host:12`; null for none or several. */
  @StringColumn(100, { nullable: true }) subject!: string | null;
  /** Names of the changed fields, with a comma before and after each. */
  @StringColumn(500, { nullable: true }) fields!: string | null;
  /** Old and new values. */
  @JsonColumn({ nullable: true }) changes!: LoggedChange[] | null;
}

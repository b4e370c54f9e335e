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
  /**
   * Where it came in, of what somebody outside caused: `login`, `api.php` or the slug of a gateway; null for the
   * actions of accounts and of the panel.
   */
  @StringColumn(64, { nullable: true }) source!: string | null;
  /** Slug of the plugin whose action it is; null for those of the panel. */
  @StringColumn(64, { nullable: true }) plugin!: string | null;
  /** What came of it. */
  @TextColumn({ name: 'qk', nullable: true }) outcome!: string | null;
  /** Side of the account it is about; null where there is none. */
  @StringColumn(10, { nullable: true }) side!: 'admin' | 'user' | null;
  /** `SVC_admin.id` or `SVC_zj.id`: names are given to others later, ids are not. */
  @IntegerColumn({ name: 'account_id', nullable: true }) accountId!: number | null;
  /** Id of the request that wrote it, as the log of the process has it. */
  @StringColumn(40, { nullable: true }) rid!: string | null;
  /** Key and values of {@link summary}, so that it can be told in the reader's language; null for what came as a text. */
  @JsonColumn({ name: 'text_parts', nullable: true }) text!: AuditText | null;
  /** What was changed, such as `host:12`; null where nothing was, or several things were. */
  @StringColumn(100, { nullable: true }) subject!: string | null;
  /** Fields that were changed, with a comma before and behind each. */
  @StringColumn(500, { nullable: true }) fields!: string | null;
  /** What was what, and is what now. */
  @JsonColumn({ nullable: true }) changes!: LoggedChange[] | null;
}

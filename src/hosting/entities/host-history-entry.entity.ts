import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import type { LoggedChange } from '../../common/index.js';
import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/**
 * An event of a host not caused by an administrator. Actions of shops, plugins, the owner and the panel itself leave no entry in the
 * operation log. Kept as long as the host.
 */
@Entity('SVC_zj_history')
@Index('IX_SVC_zj_history_host', ['hostId', 'id'])
export class HostHistoryEntry {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  /** A hook such as `host.renewed`, or `host.limits`. */
  @StringColumn(64) what!: string;
  /** `cron`, `api`, `user`, the slug of a plugin. */
  @StringColumn(64) source!: string;
  /** Message parameters: pause reasons, days of a renewal. */
  @JsonColumn() params!: Record<string, string>;
  /** Limits that changed. */
  @JsonColumn({ nullable: true }) changes!: LoggedChange[] | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

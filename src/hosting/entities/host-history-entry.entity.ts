import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import type { LoggedChange } from '../../common/index.js';
import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

/**
 * Something that happened to a host which no administrator did: what shops, plugins, the owner and the panel itself do leaves no line in
 * the operation log. Kept as long as the host is.
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
  /** Values of its words: reasons of a pause, days of a renewal. */
  @JsonColumn() params!: Record<string, string>;
  /** Limits that are other than before. */
  @JsonColumn({ nullable: true }) changes!: LoggedChange[] | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';
import { HostingAccount } from '../../hosting/index.js';

/** An exception from scans: all given conditions must match; at least one is given. */
@Entity('SVC_forbidden_allow')
export class ForbiddenAllow {
  @PrimaryGeneratedColumn() id!: number;
  /** Keyword; empty matches all. */
  @StringColumn(250, { default: '' }) keyword!: string;
  /** `SVC_zj.id` of the host; null matches all. */
  @IntegerColumn({ name: 'host_id', nullable: true }) hostId!: number | null;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'host_id', foreignKeyConstraintName: 'FK_SVC_forbidden_allow_host' })
  host?: HostingAccount | null;
  /** Path of the file, with `*` as wildcard; empty matches all. */
  @StringColumn(1000, { default: '' }) path!: string;
  /** Reason. */
  @StringColumn(250, { default: '' }) note!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

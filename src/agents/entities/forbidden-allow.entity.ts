import { Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';
import { HostingAccount } from '../../hosting/index.js';

/** What may be there although a scan looks for it: all that is given has to fit, and something is. */
@Entity('SVC_forbidden_allow')
export class ForbiddenAllow {
  @PrimaryGeneratedColumn() id!: number;
  /** The word; empty: every one. */
  @StringColumn(250, { default: '' }) keyword!: string;
  /** `SVC_zj.id` of the host; null: every one. */
  @IntegerColumn({ name: 'host_id', nullable: true }) hostId!: number | null;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'host_id', foreignKeyConstraintName: 'FK_SVC_forbidden_allow_host' })
  host?: HostingAccount | null;
  /** Path of the file, `*` stands for any text; empty: every one. */
  @StringColumn(1000, { default: '' }) path!: string;
  /** Why. */
  @StringColumn(250, { default: '' }) note!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

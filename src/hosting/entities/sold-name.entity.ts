import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { DayColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';
import { SaleDomain } from './sale-domain.entity.js';

/** `held` for an order that is not paid, `sold`, or `resting` after it was given up, so that nobody inherits its visitors. */
export type SoldNameState = 'held' | 'sold' | 'resting';

/** A name below a {@link SaleDomain} that somebody has: one owner each, because there is one row of each. Free names have none. */
@Entity('SVC_ym_name')
@Unique('UQ_SVC_ym_name_name', ['name'])
@Unique('UQ_SVC_ym_name_ddh', ['orderNo'])
@Index('IX_SVC_ym_name_ym', ['zoneId', 'id'])
@Index('IX_SVC_ym_name_zj', ['accountId', 'id'])
@Index('IX_SVC_ym_name_yh', ['customerId', 'id'])
@Index('IX_SVC_ym_name_state', ['state', 'expiresOn', 'id'])
@Index('IX_SVC_ym_name_untold', ['untoldAccountId', 'id'])
export class SoldName {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'ym_id' }) zoneId!: number;
  @ManyToOne(() => SaleDomain, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'ym_id', foreignKeyConstraintName: 'FK_SVC_ym_name_ym' })
  zone?: SaleDomain;
  /** The whole name, in lower case and punycode. */
  @StringColumn(253) name!: string;
  /** Its first label. */
  @StringColumn(63) prefix!: string;
  @StringColumn(16) state!: SoldNameState;
  /** The host it is meant for; null: that was deleted. */
  @IntegerColumn({ name: 'zj_id', nullable: true }) accountId!: number | null;
  @ManyToOne(() => HostingAccount, { onDelete: 'SET NULL', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_ym_name_zj' })
  account?: HostingAccount | null;
  /** The customer (`SVC_plugin_user.id`) who keeps it when the host goes; null: it goes with the host. */
  @IntegerColumn({ name: 'yh_id', nullable: true }) customerId!: number | null;
  /** Number of the order it is held for, or was bought with. */
  @StringColumn(64, { name: 'ddh', nullable: true }) orderNo!: string | null;
  /** Folder of the host it is to show. */
  @StringColumn(255, { name: 'ml', default: '' }) folder!: string;
  /** Its last day; null: it has none. */
  @DayColumn({ name: 'dq', nullable: true }) expiresOn!: string | null;
  /** Of a held one: when it is free again by itself; of a resting one: until when it rests. */
  @TimeColumn({ name: 'until_at', nullable: true }) until!: Date | null;
  /** The day its owner was last reminded. */
  @DayColumn({ name: 'reminded_on', nullable: true }) remindedOn!: string | null;
  /** A host whose server has yet to be told that it shows the name no more; null: none. */
  @IntegerColumn({ name: 'untold_zj', nullable: true }) untoldAccountId!: number | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

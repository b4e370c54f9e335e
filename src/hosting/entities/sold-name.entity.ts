import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { DayColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';
import { SaleDomain } from './sale-domain.entity.js';

/**
 * `held`: reserved for an unpaid order; `sold`; `resting`: released, and blocked for a while so that a new owner does not inherit its
 * visitors.
 */
export type SoldNameState = 'held' | 'sold' | 'resting';

/** A name below a {@link SaleDomain} that is taken. One row per name, so it has only one owner; free names have no row. */
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
  /** The full name, in lower case and punycode. */
  @StringColumn(253) name!: string;
  /** Its first label. */
  @StringColumn(63) prefix!: string;
  @StringColumn(16) state!: SoldNameState;
  /** The host it points to; null: that was deleted. */
  @IntegerColumn({ name: 'zj_id', nullable: true }) accountId!: number | null;
  @ManyToOne(() => HostingAccount, { onDelete: 'SET NULL', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_ym_name_zj' })
  account?: HostingAccount | null;
  /** The customer (`SVC_plugin_user.id`) who keeps it if the host is deleted; null: it is deleted with the host. */
  @IntegerColumn({ name: 'yh_id', nullable: true }) customerId!: number | null;
  /** Number of the order it is reserved for, or was bought with. */
  @StringColumn(64, { name: 'ddh', nullable: true }) orderNo!: string | null;
  /** Folder of the host it serves. */
  @StringColumn(255, { name: 'ml', default: '' }) folder!: string;
  /** Its last day; null: no expiry. */
  @DayColumn({ name: 'dq', nullable: true }) expiresOn!: string | null;
  /** When a held name is released automatically, or when a resting one becomes available. */
  @TimeColumn({ name: 'until_at', nullable: true }) until!: Date | null;
  /** The last day a reminder was sent to its owner. */
  @DayColumn({ name: 'reminded_on', nullable: true }) remindedOn!: string | null;
  /** A host whose server still has to remove the name; null: none. */
  @IntegerColumn({ name: 'untold_zj', nullable: true }) untoldAccountId!: number | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

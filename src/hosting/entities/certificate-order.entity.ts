import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** State of an order: `open` until it is `done` or `failed`. */
export type OrderState = 'open' | 'done' | 'failed';

/** A current or past certificate order. The row holds everything needed to continue, so any process can resume it after a crash. */
@Entity('SVC_cert_order')
@Index('IX_SVC_cert_order_zj', ['accountId', 'id'])
@Index('IX_SVC_cert_order_state', ['state', 'retryAt', 'id'])
@Unique('UQ_SVC_cert_order_open', ['openFor'])
export class CertificateOrder {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'zj_id' }) accountId!: number;
  @ManyToOne(() => HostingAccount, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'zj_id', foreignKeyConstraintName: 'FK_SVC_cert_order_zj' })
  account?: HostingAccount;
  @StringColumn(10) state!: OrderState;
  /** The account while the order is open, otherwise null: an account has at most one open order. */
  @IntegerColumn({ name: 'open_for', nullable: true }) openFor!: number | null;
  @JsonColumn({ name: 'names' }) names!: string[];
  @StringColumn(255) directory!: string;
  @FlagColumn({ name: 'is_renewal', default: false }) isRenewal!: boolean;
  /** Current step, see `ORDER_STEPS`. */
  @StringColumn(20) step!: string;
  /** Order URL at the authority; empty before the order exists there. */
  @StringColumn(500, { name: 'order_url', default: '' }) orderUrl!: string;
  /** PEM of the new certificate's private key, encrypted; null once installed or given up. */
  @TextColumn({ name: 'sealed_key', nullable: true }) sealedKey!: string | null;
  /** Why it failed, or what it waits for; empty: no problem. See `OrderProblem`. */
  @StringColumn(20, { default: '' }) problem!: string;
  /** Parameters of the problem's message. */
  @JsonColumn({ name: 'problem_params' }) problemParams!: Record<string, string>;
  /** Earliest time of the next attempt. */
  @TimeColumn({ name: 'retry_at', nullable: true }) retryAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
}

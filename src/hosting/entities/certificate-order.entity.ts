import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FlagColumn, IntegerColumn, JsonColumn, StringColumn, TextColumn, TimeColumn } from '../../database/index.js';

import { HostingAccount } from './hosting-account.entity.js';

/** How far an order is: `open` until it is `done` or `failed`. */
export type OrderState = 'open' | 'done' | 'failed';

/**
 * A certificate that is being ordered, or was. Everything needed to go on stands here: whichever process has time does,
 * whatever became of the one before.
 */
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
  /** The account while it is open, then null: an account has one open order at most. */
  @IntegerColumn({ name: 'open_for', nullable: true }) openFor!: number | null;
  @JsonColumn({ name: 'names' }) names!: string[];
  @StringColumn(255) directory!: string;
  @FlagColumn({ name: 'is_renewal', default: false }) isRenewal!: boolean;
  /** What it is at, see `ORDER_STEPS`. */
  @StringColumn(20) step!: string;
  /** Of the order at the authority; empty before there is one. */
  @StringColumn(500, { name: 'order_url', default: '' }) orderUrl!: string;
  /** PEM of the private key of the new certificate, sealed; null when it is installed or given up. */
  @TextColumn({ name: 'sealed_key', nullable: true }) sealedKey!: string | null;
  /** Why it failed, or what it waits for; empty: nothing is wrong. See `OrderProblem`. */
  @StringColumn(20, { default: '' }) problem!: string;
  /** Values for the words of the problem. */
  @JsonColumn({ name: 'problem_params' }) problemParams!: Record<string, string>;
  /** Not before. */
  @TimeColumn({ name: 'retry_at', nullable: true }) retryAt!: Date | null;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  @TimeColumn({ name: 'ended_at', nullable: true }) endedAt!: Date | null;
}

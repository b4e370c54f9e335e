import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** Money that came for an order that was paid already: the reseller has to give it back. */
@Entity('SVC_second_payment')
@Unique('UQ_SVC_second_payment', ['gateway', 'tradeNumber', 'orderId'])
@Index('IX_SVC_second_payment_open', ['refundedAt', 'id'])
@Index('IX_SVC_second_payment_order', ['orderId', 'id'])
export class SecondPayment {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  @ManyToOne(() => Order, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_second_payment_order' })
  order?: Order;
  @StringColumn(64) gateway!: string;
  /** The gateway's own number; the order's where the gateway gives none. */
  @StringColumn(128, { name: 'trade_no' }) tradeNumber!: string;
  /** Fen. */
  @FenColumn() amount!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /**
   * `pending`: its gateway was asked to give it back, and nobody knows whether it did; `refused`: it said no; `credit`: the
   * order's owner has it as credit.
   */
  @StringColumn(10, { default: '' }) state!: '' | 'pending' | 'refused' | 'credit';
  /** When the gateway was asked last. */
  @TimeColumn({ name: 'asked_at', nullable: true }) askedAt!: Date | null;
  /** The gateway's own number. */
  @StringColumn(128, { name: 'refund_no', default: '' }) refundNumber!: string;
  /** What the gateway said last. */
  @StringColumn(300, { default: '' }) words!: string;
  /** When it was given back, became credit, or the administrator said so. */
  @TimeColumn({ name: 'refunded_at', nullable: true }) refundedAt!: Date | null;
}

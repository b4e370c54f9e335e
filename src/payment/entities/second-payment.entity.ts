import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** A payment for an order that was already paid: the reseller has to refund it. */
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
  /** The gateway's transaction number; the order number if the gateway gives none. */
  @StringColumn(128, { name: 'trade_no' }) tradeNumber!: string;
  /** Fen. */
  @FenColumn() amount!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /**
   * `pending`: its gateway was asked for a refund, with unknown outcome; `refused`: it refused; `credit`: it was added to the
   * credit of the order's owner.
   */
  @StringColumn(10, { default: '' }) state!: '' | 'pending' | 'refused' | 'credit';
  /** When the gateway was last asked. */
  @TimeColumn({ name: 'asked_at', nullable: true }) askedAt!: Date | null;
  /** The gateway's refund number. */
  @StringColumn(128, { name: 'refund_no', default: '' }) refundNumber!: string;
  /** The gateway's last message. */
  @StringColumn(300, { default: '' }) words!: string;
  /** When it was refunded, became credit, or was marked as refunded by the administrator. */
  @TimeColumn({ name: 'refunded_at', nullable: true }) refundedAt!: Date | null;
}

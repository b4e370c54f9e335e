import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** Last answer of a gateway about an order; empty: not asked yet, `failed`: no answer that could be read. */
export type Said = '' | 'unpaid' | 'paid' | 'closed' | 'refunded' | 'failed';

/** A gateway that is asked about an order it was sent to. */
@Entity('SVC_order_inquiry')
@Unique('UQ_SVC_order_inquiry', ['orderId', 'gateway'])
@Index('IX_SVC_order_inquiry_due', ['gateway', 'dueAt', 'id'])
export class OrderInquiry {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  @ManyToOne(() => Order, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_order_inquiry_order' })
  order?: Order;
  @StringColumn(64) gateway!: string;
  /** When the order was sent there last. */
  @TimeColumn({ name: 'sent_at' }) sentAt!: Date;
  /** How often it was asked by itself since then. */
  @IntegerColumn({ default: 0 }) asks!: number;
  /** When it is asked by itself next; null: not any more. */
  @TimeColumn({ name: 'due_at', nullable: true }) dueAt!: Date | null;
  @TimeColumn({ name: 'asked_at', nullable: true }) askedAt!: Date | null;
  @StringColumn(10, { default: '' }) said!: Said;
  /** What was wrong. */
  @StringColumn(300, { default: '' }) words!: string;
}

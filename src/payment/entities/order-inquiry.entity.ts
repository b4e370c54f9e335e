import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** Last answer of a gateway about an order; empty: not asked yet, `failed`: no valid answer. */
export type Said = '' | 'unpaid' | 'paid' | 'closed' | 'refunded' | 'failed';

/** Polling state of an order at a gateway it was sent to. */
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
  /** When the order was last sent there. */
  @TimeColumn({ name: 'sent_at' }) sentAt!: Date;
  /** Number of automatic inquiries since then. */
  @IntegerColumn({ default: 0 }) asks!: number;
  /** Time of the next automatic inquiry; null: none. */
  @TimeColumn({ name: 'due_at', nullable: true }) dueAt!: Date | null;
  @TimeColumn({ name: 'asked_at', nullable: true }) askedAt!: Date | null;
  @StringColumn(10, { default: '' }) said!: Said;
  /** Error message. */
  @StringColumn(300, { default: '' }) words!: string;
}

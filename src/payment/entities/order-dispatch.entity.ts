import { Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** A gateway an order was sent to. It may still report the payment after the buyer has chosen another one. */
@Entity('SVC_order_dispatch')
@Unique('UQ_SVC_order_dispatch', ['orderId', 'gateway', 'method'])
export class OrderDispatch {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  @ManyToOne(() => Order, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_order_dispatch_order' })
  order?: Order;
  @StringColumn(64) gateway!: string;
  @StringColumn(128) method!: string;
  /** When the order was last sent there. */
  @TimeColumn({ name: 'sent_at' }) sentAt!: Date;
}

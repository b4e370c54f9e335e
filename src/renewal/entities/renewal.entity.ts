import { Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { DayColumn, IntegerColumn, TimeColumn } from '../../database/index.js';
import { Order } from '../../payment/index.js';

/** A completed renewal: one row per order, written together with the new expiry day. */
@Entity('SVC_renewal')
@Unique('UQ_SVC_renewal_order', ['orderId'])
export class Renewal {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  @ManyToOne(() => Order, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_renewal_order' })
  order?: Order;
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  @IntegerColumn() months!: number;
  @DayColumn({ name: 'old_day' }) oldDay!: string;
  @DayColumn({ name: 'new_day' }) newDay!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

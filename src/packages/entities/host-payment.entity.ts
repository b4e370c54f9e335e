import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, IntegerColumn, TimeColumn } from '../../database/index.js';
import { Order } from '../../payment/index.js';

/**
 * What was paid for a time of a host: one row per order that was delivered, written with what it did; one without an order is
 * a reseller's word. What is left of it is what counts when the host changes to another package. Days it covers no more
 * (`from` = `until`) count for nothing.
 */
@Entity('SVC_host_payment')
@Unique('UQ_SVC_host_payment_order', ['orderId'])
@Index('IX_SVC_host_payment_host', ['hostId', 'untilDay'])
export class HostPayment {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'host_id' }) hostId!: number;
  @IntegerColumn({ name: 'order_id', nullable: true }) orderId!: number | null;
  @ManyToOne(() => Order, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: true })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_host_payment_order' })
  order?: Order | null;
  @BigIntegerColumn() fen!: number;
  /** Of the time that was bought; 0: of what was left of one. */
  @IntegerColumn() months!: number;
  @DayColumn({ name: 'from_day' }) fromDay!: string;
  @DayColumn({ name: 'until_day' }) untilDay!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, DayColumn, IntegerColumn, TimeColumn } from '../../database/index.js';
import { Order } from '../../payment/index.js';

/**
 * A payment for a period of a host, one row per delivered order, written in the same transaction; rows without an order were set by a
 * reseller. The remaining value counts when the host changes its package. Rows that no longer cover any days (`from` = `until`) have no
 * value.
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
  /** Length of the purchased period; 0 for a change within the remaining period. */
  @IntegerColumn() months!: number;
  @DayColumn({ name: 'from_day' }) fromDay!: string;
  @DayColumn({ name: 'until_day' }) untilDay!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

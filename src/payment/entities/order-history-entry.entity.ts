import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';

import type { TextParams } from '../../common/index.js';
import { IntegerColumn, JsonColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** An event of an order that has no row of its own elsewhere. Kept as long as the order. */
@Entity('SVC_dd_history')
@Index('IX_SVC_dd_history_order', ['orderId', 'id'])
export class OrderHistoryEntry {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  @ManyToOne(() => Order, { onDelete: 'CASCADE', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_dd_history_order' })
  order?: Order;
  /** Kind of event; the last part of its text key, `payment.history.<what>`. */
  @StringColumn(32) what!: string;
  /** `admin`, `user`, `cron`, or the slug of a gateway or plugin. */
  @StringColumn(64) source!: string;
  /** Name of the administrator. */
  @StringColumn(64, { nullable: true }) actor!: string | null;
  /** Parameters of its text, which may be texts of a gateway. */
  @JsonColumn() params!: TextParams;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** State of a refund. `pending` reduces the refundable amount like `done`, because it is not known yet whether it was made. */
export type RefundState = 'pending' | 'done' | 'refused';

/** How the money is returned: by the gateway it came through, manually by the reseller, or as credit. */
export type RefundWay = 'gateway' | 'hand' | 'credit';

/** A refund of an order, made or requested. */
@Entity('SVC_refund')
@Unique('UQ_SVC_refund_number', ['number'])
@Index('IX_SVC_refund_order', ['orderId', 'id'])
@Index('IX_SVC_refund_state', ['state', 'id'])
@Index('IX_SVC_refund_done', ['doneAt', 'id'])
export class Refund {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  @ManyToOne(() => Order, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_refund_order' })
  order?: Order;
  /** Refund id sent to the gateway; the same in every attempt. */
  @StringColumn(64) number!: string;
  /** The gateway the money came through. */
  @StringColumn(64) gateway!: string;
  @StringColumn(10) way!: RefundWay;
  /** Fen. */
  @FenColumn() amount!: number;
  @StringColumn(10) state!: RefundState;
  /** The gateway's refund number. */
  @StringColumn(128, { name: 'refund_no', default: '' }) refundNumber!: string;
  /** The gateway's last message. */
  @StringColumn(300, { default: '' }) words!: string;
  @StringColumn(200) reason!: string;
  /** Name of the administrator. */
  @StringColumn(64) actor!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /** When the gateway was last asked. */
  @TimeColumn({ name: 'asked_at', nullable: true }) askedAt!: Date | null;
  /** When it was made or refused. */
  @TimeColumn({ name: 'done_at', nullable: true }) doneAt!: Date | null;
}

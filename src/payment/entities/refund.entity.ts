import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** How far a refund is: `pending` counts against what may be given back as `done` does, for nobody knows yet whether it was made. */
export type RefundState = 'pending' | 'done' | 'refused';

/** How the money is given back: by the gateway it came through, by the reseller himself some other way, or as credit. */
export type RefundWay = 'gateway' | 'hand' | 'credit';

/** Money of an order that is given back, or was asked to be. */
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
  /** What the gateway knows it by: the same in every attempt. */
  @StringColumn(64) number!: string;
  /** The one the money came through. */
  @StringColumn(64) gateway!: string;
  @StringColumn(10) way!: RefundWay;
  /** Fen. */
  @FenColumn() amount!: number;
  @StringColumn(10) state!: RefundState;
  /** The gateway's own number. */
  @StringColumn(128, { name: 'refund_no', default: '' }) refundNumber!: string;
  /** What the gateway said last. */
  @StringColumn(300, { default: '' }) words!: string;
  @StringColumn(200) reason!: string;
  /** Name of the administrator. */
  @StringColumn(64) actor!: string;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
  /** When the gateway was asked last. */
  @TimeColumn({ name: 'asked_at', nullable: true }) askedAt!: Date | null;
  /** When it was done or refused. */
  @TimeColumn({ name: 'done_at', nullable: true }) doneAt!: Date | null;
}

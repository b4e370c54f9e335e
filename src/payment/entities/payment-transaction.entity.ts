import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** The payment that settled an order: one row per order; a gateway's transaction number settles only one order. */
@Entity('SVC_payment_transaction')
@Unique('UQ_SVC_payment_transaction_order', ['orderId'])
@Index('IX_SVC_payment_transaction_created', ['createdAt', 'id'])
@Unique('UQ_SVC_payment_transaction_trade', ['gateway', 'tradeNumber'])
export class PaymentTransaction {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  @ManyToOne(() => Order, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'FK_SVC_payment_transaction_order' })
  order?: Order;
  @StringColumn(64) gateway!: string;
  /** The gateway's transaction number; the order number if the gateway gives none. */
  @StringColumn(128, { name: 'trade_no' }) tradeNumber!: string;
  /** Fen. */
  @FenColumn() amount!: number;
  /** False if the gateway reported no amount and the order's own was assumed. */
  @FlagColumn({ name: 'amount_checked' }) amountChecked!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

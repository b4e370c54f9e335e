import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { FenColumn, FlagColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Order } from './order.entity.js';

/** Payment that settled an order: one row per order, and a gateway's transaction number settles one order only. */
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
  /** The gateway's own number; the order's where the gateway gives none. */
  @StringColumn(128, { name: 'trade_no' }) tradeNumber!: string;
  /** Fen. */
  @FenColumn() amount!: number;
  /** False where the gateway named no amount and the order's own was taken. */
  @FlagColumn({ name: 'amount_checked' }) amountChecked!: boolean;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}

import { Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { BigIntegerColumn, IntegerColumn, StringColumn, TimeColumn } from '../../database/index.js';

import { Coupon } from './coupon.entity.js';

/** A coupon applied to an order. `taken` while the order is open or paid, `given_back` after it closed unpaid. */
@Entity('SVC_coupon_use')
@Unique('UQ_SVC_coupon_use_order', ['orderId'])
@Index('IX_SVC_coupon_use_coupon', ['couponId', 'state'])
export class CouponUse {
  @PrimaryGeneratedColumn() id!: number;
  @IntegerColumn({ name: 'coupon_id' }) couponId!: number;
  @ManyToOne(() => Coupon, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'coupon_id', foreignKeyConstraintName: 'FK_SVC_coupon_use_coupon' })
  coupon?: Coupon;
  @IntegerColumn({ name: 'order_id' }) orderId!: number;
  /** Buyer, such as `customer:7`; empty if unknown. */
  @StringColumn(40) who!: string;
  @StringColumn(10) state!: 'taken' | 'given_back';
  /** Discount in fen. */
  @BigIntegerColumn() discount!: number;
  @TimeColumn({ name: 'created_at' }) createdAt!: Date;
}
